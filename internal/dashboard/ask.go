package dashboard

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Answers are a dashboard with what Prometheus answered to it.
type Answers struct {
	*Dashboard

	span
	values map[string]string // of the variables
	shown  map[string]string // what the head of the page says of them
	panels []answer          // of the panels, in their order
	marks  []Mark
}

// answer is what a panel shows.
type answer struct {
	series []Series
	table  *table // of a table panel
}

// Mark is a time that an annotation marks.
type Mark struct {
	At     time.Time
	Text   string
	Colour string
}

// Ask asks a Prometheus everything that a dashboard asks, at the end of a time of some
// length. Values are those of variables; the others get the first one that there is.
// Errors are *Error, joined: queries that fail, panels, variables and annotations that
// remain empty. The Answers are there all the same.
func (d *Dashboard) Ask(ctx context.Context, p *Prometheus, end time.Time, length time.Duration, values map[string]string) (*Answers, error) {
	a := &Answers{Dashboard: d, span: span{end.Add(-length), end}, values: map[string]string{}, shown: map[string]string{}}
	var list []error
	wrong := func(what string, err error) {
		if err != nil {
			list = append(list, &Error{"ask", d.Title + "/" + what, err})
		}
	}
	for _, v := range d.Templating.List {
		wrong("variable "+v.Name, a.choose(ctx, p, v, values[v.Name]))
	}
	for i := range d.Panels {
		answer, err := a.askPanel(ctx, p, &d.Panels[i])
		a.panels = append(a.panels, answer)
		wrong(d.Panels[i].Title, err)
	}
	for _, n := range d.Annotations.List {
		wrong("annotation "+n.Name, a.mark(ctx, p, n))
	}
	return a, errors.Join(list...)
}

var errEmpty = errors.New("there is nothing to show")

// steps are those that Grafana chooses from.
var steps = []time.Duration{
	15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour,
}

// step is that of a query: a point for each two pixels of its panel, but not less than
// its minimum.
func (a *Answers) step(p *Panel, t *Target) time.Duration {
	want := max(a.length()/time.Duration(p.GridPos.W*pageWidth/columns/2), time.Second)
	if least, err := time.ParseDuration(t.Interval); err == nil {
		want = max(want, least)
	}
	best := steps[0]
	for _, s := range steps {
		if want >= (best+s)/2 {
			best = s
		}
	}
	return best
}

func (a *Answers) askPanel(ctx context.Context, p *Prometheus, panel *Panel) (out answer, err error) {
	if panel.Type == "row" {
		return out, nil
	}
	for i := range panel.Targets {
		t := &panel.Targets[i]
		got, err := a.query(ctx, p, panel, t)
		if err != nil {
			return out, fmt.Errorf("query %s: %w", t.RefID, err)
		}
		for _, s := range got {
			s.Ref, s.Name = t.RefID, a.legend(t, s.Labels)
			out.series = append(out.series, s)
		}
	}
	if len(out.series) == 0 {
		return out, errEmpty
	}
	if name := twice(panel, out.series); name != "" {
		return out, fmt.Errorf("two lines have the name %q", name)
	}
	if panel.Type == "table" {
		out.table = tableOf(panel, out.series)
	}
	return out, nil
}

// twice is a name that two lines of one panel have, and so cannot be told apart.
func twice(panel *Panel, series []Series) string {
	seen := map[string]bool{}
	for _, s := range series {
		if panel.Type != "table" && seen[s.Name] {
			return s.Name
		}
		seen[s.Name] = true
	}
	return ""
}

func (a *Answers) query(ctx context.Context, p *Prometheus, panel *Panel, t *Target) ([]Series, error) {
	step := a.step(panel, t)
	expr := a.expand(t.Expr, step, t.Interval)
	if left := variable.FindString(strings.ReplaceAll(expr, `"$1"`, "")); left != "" {
		return nil, fmt.Errorf("the variable %s is not known", left)
	}
	if t.Instant {
		return p.Instant(ctx, expr, a.end)
	}
	return p.Range(ctx, expr, a.start.Truncate(step), a.end, step)
}

// legend is the name of a series.
func (a *Answers) legend(t *Target, labels map[string]string) string {
	if t.LegendFormat == "" {
		return ""
	}
	return strings.TrimSpace(placeholder.ReplaceAllStringFunc(a.expand(t.LegendFormat, time.Minute, ""), func(s string) string {
		return labels[strings.Trim(s, "{} ")]
	}))
}

var placeholder = regexp.MustCompile(`\{\{[^}]*\}\}`)

// mark asks for the times of an annotation: where its query begins to have an answer.
func (a *Answers) mark(ctx context.Context, p *Prometheus, n Annotation) error {
	if !n.Enable || n.Expr == "" {
		return nil
	}
	step := max(a.length()/700, time.Minute).Round(time.Minute)
	got, err := p.Range(ctx, a.expand(n.Expr, step, "1m"), a.start, a.end, step)
	if err != nil {
		return err
	}
	if len(got) == 0 {
		return errEmpty
	}
	for _, s := range got {
		before := time.Time{}
		for _, at := range s.Points {
			if at.At.Sub(before) > step {
				a.marks = append(a.marks, Mark{at.At, s.Labels["kind"], named(n.IconColor)})
			}
			before = at.At
		}
	}
	return nil
}
