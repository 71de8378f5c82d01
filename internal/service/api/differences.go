package api

import (
	"errors"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/format/fabricdiff"
)

// errNoHistory is the answer where nothing is kept of earlier times.
var errNoHistory = &Error{http.StatusNotFound, "this service keeps no history"}

func (a *API) diff(r *request) error {
	if a.o.History == nil {
		return errNoHistory
	}
	from, to := r.values["from"].time, r.values["to"].time
	before, beforeAt, err := a.fabricAt(r, from)
	if err != nil {
		return err
	}
	now, nowAt := r.state.Fabric, r.state.At
	if !to.IsZero() && to.Before(r.state.At) || now == nil {
		if now, nowAt, err = a.fabricAt(r, to); err != nil {
			return err
		}
	}
	return r.json(r.compare(before, now, beforeAt, nowAt))
}

// fabricAt is a fabric as it was at a time.
func (a *API) fabricAt(r *request, at time.Time) (*fabric.Fabric, time.Time, error) {
	if at.IsZero() {
		at = a.o.Now()
	}
	f, from, err := a.o.History.Fabric(r.http.Context(), r.state.Name, at)
	if err != nil {
		return nil, time.Time{}, historyError(err)
	}
	return f, from, nil
}

// pastError is a history that cannot be read.
type pastError struct{ err error }

func (e *pastError) Error() string { return "the history cannot be read: " + e.err.Error() }
func (e *pastError) Unwrap() error { return e.err }

// historyError tells a time that nothing is kept of from a history that cannot be read.
func historyError(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return &Error{http.StatusNotFound, "nothing is kept of that time"}
	}
	return &pastError{err}
}

// compare makes the answer.
func (r *request) compare(before, now *fabric.Fabric, beforeAt, nowAt time.Time) *Differences {
	own, _ := r.api.o.Names(r.state.Name)
	report := fabricdiff.Report{
		A: fabricdiff.Side{Name: "a", Fabric: before}, B: fabricdiff.Side{Name: "b", Fabric: now}, Changes: diff.Compare(before, now, nil),
	}
	if only := r.words("only"); only != nil {
		report.Changes = slices.DeleteFunc(report.Changes, func(c diff.Change) bool { return !slices.Contains(only, string(c.Subject)) })
	}
	places := [2]*index{newNames(before, own), newNames(now, own)}
	answer := &Differences{
		Schema: "ibscope.api.diff", Version: Version, Fabric: r.state.Name, A: side(before, beforeAt), B: side(now, nowAt),
		Same: len(report.Changes) == 0, Total: len(report.Changes), Changes: []Difference{},
	}
	for i := range report.Changes[:min(len(report.Changes), r.number("limit"))] {
		c := &report.Changes[i]
		d := Difference{
			Subject: string(c.Subject), Change: string(c.Op), Field: string(c.Field), Message: report.Line(c),
			A: places[0].diffPlace(c.Subject, c.A), B: places[1].diffPlace(c.Subject, c.B),
		}
		if c.Field != "" {
			d.InA, d.InB = &c.Old, &c.New
		}
		answer.Changes = append(answer.Changes, d)
	}
	return answer
}

func side(f *fabric.Fabric, at time.Time) Side {
	s := Side{At: at.UTC(), Complete: f.IsComplete(), Nodes: f.NumNodes()}
	for range f.Links() {
		s.Links++
	}
	return s
}

func (x *index) diffPlace(s diff.Subject, p diff.Place) *DiffPlace {
	switch {
	case p.Node == nil:
		return nil
	case s == diff.Node || p.Port == nil:
		return &DiffPlace{Place: x.nodePlace(p.Node)}
	}
	out := &DiffPlace{Place: x.portPlace(p.Port)}
	if p.Peer != nil {
		out.Peer = pointer(x.portPlace(p.Peer))
	}
	return out
}
