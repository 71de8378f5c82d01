package api

import (
	"errors"

	"github.com/ibscope/ibscope/counters/explain"
	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/fabric"
	judge "github.com/ibscope/ibscope/fabric/health"
	"github.com/ibscope/ibscope/watch"
)

func (a *API) health(r *request) error {
	if err := r.known(); err != nil {
		return err
	}
	report := a.judged(r)
	answer := Health{
		Schema: "ibscope.api.health", Version: Version, Fabric: r.state.Name, At: utc(r.state.At), Verdict: string(verdict(r.state, report)),
		Critical: report.Count(judge.Critical), Errors: report.Count(judge.Error), Warnings: report.Count(judge.Warning), Notes: report.Count(judge.Note),
		Total: len(report.Findings), Findings: []Finding{}, Checks: []Check{},
	}
	for i := range report.Findings[:min(len(report.Findings), r.number("limit"))] {
		answer.Findings = append(answer.Findings, r.index.finding(&report.Findings[i]))
	}
	for _, c := range report.Checks {
		answer.Checks = append(answer.Checks, Check{Name: c.Name, Looked: c.Looked, What: c.What, Findings: c.Findings, Skipped: c.Skipped})
	}
	return r.json(answer)
}

// verdict sums up. Where nothing was found and not all could be looked at, it is not
// known; so it is of a fabric that cannot be asked any more.
func verdict(s *watch.State, report *judge.Report) judge.Verdict {
	v := report.Verdict()
	if v == judge.Healthy && (!s.Fabric.IsComplete() || statusWord(s) != Live) {
		return judge.Unknown
	}
	return v
}

// judged is what is wrong with a fabric; it is worked out once for each state.
func (a *API) judged(r *request) *judge.Report {
	a.mu.Lock()
	m := a.memory(r.state.Name)
	report, of := m.health, m.healthOf
	a.mu.Unlock()
	if of == (healthKey{r.state, r.index}) {
		return report
	}
	o := judge.Options{Name: r.index.name, Topology: r.index.topology}
	r.managers(&o)
	r.grown(&o)
	report = judge.Examine(r.index.fabric, &o)
	a.mu.Lock()
	defer a.mu.Unlock()
	m.health, m.healthOf = report, healthKey{r.state, r.index}
	return report
}

// healthKey is what a report on health was made of.
type healthKey struct {
	state *watch.State
	index *index
}

// errSilent is of a manager that has not answered.
var errSilent = errors.New("did not answer")

// managers are the ports that say that they have a subnet manager, and what it told.
func (r *request) managers(o *judge.Options) {
	if !r.state.Connected || r.state.Stored {
		return
	}
	o.ManagersAsked = true
	for p := range judge.MayManage(r.index.fabric) {
		m := judge.Manager{Port: p, Err: errSilent}
		for _, told := range r.state.Managers {
			if told.Node == p.Node().GUID() && told.Port == p.Num() {
				m.State, m.Priority, m.Err = told.State, told.Priority, nil
			}
		}
		o.Managers = append(o.Managers, m)
	}
}

// grown are the counters that grew, between the last two readings, faster than their
// thresholds say: what they counted long ago is no matter of the health of today.
func (r *request) grown(o *judge.Options) {
	limits := r.api.o.Limits()
	for p := range r.index.fabric.Ports() {
		t := r.state.Totals.Port(p.Node().GUID(), p.Num())
		if t == nil || t.Missed > 0 || t.Interval <= 0 {
			continue
		}
		o.CountedPorts++
		for c := range (t.Rated & limits.Watched()).All() {
			const hour = 3600
			if most, ok := limits.Of(c); !ok || t.Rates[c]*hour <= float64(most) || t.Added[c] == 0 {
				continue
			}
			x := explain.Of(c)
			o.Counters = append(o.Counters, judge.Counter{
				Port: p, Name: c.String(), Value: t.Added[c], AtEnd: t.Saturated.Has(c), Severity: severityOf(x.Severity), Action: x.Action,
			})
		}
	}
}

func severityOf(s explain.Severity) judge.Severity {
	switch s {
	case explain.Fault:
		return judge.Error
	case explain.Loss:
		return judge.Warning
	}
	return judge.Note
}

func (x *index) finding(f *judge.Finding) Finding {
	return Finding{
		Severity: f.Severity.String(), Kind: string(f.Kind), Text: f.Text, Count: f.Count,
		At: x.judgedPlace(f.At), To: x.judgedPlace(f.To), Evidence: f.Evidence, Remedy: f.Remedy,
	}
}

func (x *index) judgedPlace(e judge.End) *Place {
	if e.Node == nil {
		return nil
	}
	if p := e.PortOf(); p != nil {
		return pointer(x.portPlace(p))
	}
	return x.placeOf(e.Node, e.Port)
}

// placeOf names a port that may not be known.
func (x *index) placeOf(n *fabric.Node, num int) *Place {
	p := x.nodePlace(n)
	if num >= 0 {
		p.Port = &num
	}
	return &p
}

// limitsOr are the thresholds that the options give, or others.
func (o *Options) limitsOr(other *threshold.Limits) func() *threshold.Limits {
	if o.Limits != nil {
		return o.Limits
	}
	return func() *threshold.Limits { return other }
}
