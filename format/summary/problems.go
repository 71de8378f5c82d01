package summary

import (
	"errors"
	"fmt"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad"
)

// problems lists what is wrong, grouped by kind in the order of first sight.
func (w *writer) problems(f *fabric.Fabric) {
	groups := map[fabric.ProblemKind][]fabric.Problem{}
	var order []fabric.ProblemKind
	for _, p := range f.Problems() {
		if groups[p.Kind] == nil {
			order = append(order, p.Kind)
		}
		groups[p.Kind] = append(groups[p.Kind], p)
	}
	if len(order) == 0 {
		return
	}
	w.heading(w.paint(red, fmt.Sprintf("Problems: %d", len(f.Problems()))))
	for _, kind := range order {
		list := groups[kind]
		w.printf("  %s: %d\n", kind, len(list))
		for _, p := range list[:min(len(list), w.Limit)] {
			w.problem(f, &p)
		}
		w.more(len(list), "    ")
	}
}

// problem says where on one line, and what on the next.
func (w *writer) problem(f *fabric.Fabric, p *fabric.Problem) {
	switch {
	case p.File != "":
		w.printf("    %s\n", escape.Text(p.File))
	case p.GUID != 0:
		w.printf("    %s %s %s\n", p.GUID, fit(portText(p.Port), 9), w.labelOf(f, p))
	default:
		w.printf("    %s\n", p.Target)
	}
	what := p.Detail
	if what == "" {
		what = string(p.Kind)
	}
	var status mad.Status
	if errors.As(p.Err, &status) {
		what += ": " + status.Error()
	}
	if p.Kind.IsLoss() && p.GUID != 0 && p.File == "" {
		what += ", by " + route(&p.Target)
	}
	w.printf("      %s\n", escape.Text(what))
}

// route is the way to whom a request was sent.
func route(t *mad.Target) string {
	if t.LID != 0 {
		return t.String()
	}
	return "route " + t.Path.String()
}

func portText(port int) string {
	if port < 0 {
		return ""
	}
	return fmt.Sprintf("port %d", port)
}

// labelOf is what the node of a problem is called, if it is there.
func (w *writer) labelOf(f *fabric.Fabric, p *fabric.Problem) string {
	if n, ok := f.NodeByGUID(p.GUID); ok {
		return w.label(n)
	}
	return ""
}

// sweep says what the gathering cost and whether it is complete.
func (w *writer) sweep(f *fabric.Fabric) {
	s := f.Sweep()
	result := w.paint(green, "complete")
	if !f.IsComplete() {
		result = w.paint(red, "INCOMPLETE")
	}
	w.printf("\n%s: %s", w.paint(bold, "Result"), result)
	if s.SMPs == 0 {
		w.printf("\n")
		return
	}
	w.printf(", longest route %s\n", count(s.MaxHops, "hop"))
	w.printf("  %s, %d resent, %s, %s\n", count(s.SMPs, "SMP"), s.Resent, count(s.Timeouts, "timeout"), round(s.Duration))
}

// round cuts a duration to three digits or so.
func round(d time.Duration) time.Duration {
	for unit := time.Second; unit > time.Microsecond; unit /= 10 {
		if d > 100*unit {
			return d.Round(unit)
		}
	}
	return d.Round(time.Microsecond)
}
