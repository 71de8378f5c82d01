package api

import (
	"fmt"
	"net/http"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/watch"
)

func (a *API) snapshot(r *request) error {
	if err := r.known(); err != nil {
		return err
	}
	h := r.w.Header()
	h.Set("Content-Type", snapshotMedia)
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", fmt.Sprintf("%s-%s.ibscope", r.state.Name, r.state.At.UTC().Format("20060102T150405Z"))))
	if r.http.Method == http.MethodHead {
		return nil
	}
	routes := a.o.Routes != nil && a.o.Routes()
	if r.has("routes") {
		routes = r.values["routes"].flag
	}
	_ = snapshot.Write(r.w, Snapshot(r.state, a.o.Program, routes)) // of who has gone away
	return nil
}

// Snapshot is a state whose fabric is known as a file has it: the fabric, the totals of
// its counters, and with routes its forwarding tables.
func Snapshot(s *watch.State, tool string, routes bool) *snapshot.Snapshot {
	out := &snapshot.Snapshot{Taken: s.At, Tool: tool, Fabric: s.Fabric}
	if routes {
		out.Fabric, out.Problems = s.Routes.In(s.Fabric), s.Routes.Problems(s.Fabric)
	}
	if s.Totals == nil {
		return out
	}
	names := map[counters.Set][]string{}
	for p := range out.Fabric.Ports() {
		t := s.Totals.Port(p.Node().GUID(), p.Num())
		if t == nil || t.Has == 0 {
			continue
		}
		if names[t.Has] == nil {
			for c := range t.Has.All() {
				names[t.Has] = append(names[t.Has], c.Field())
			}
		}
		stored := snapshot.PortCounters{Node: p.Node(), Port: p.Num(), Before: t.At, After: t.At, Names: names[t.Has]}
		for c := range t.Has.All() {
			stored.Values = append(stored.Values, inWords(c, t.Values[c]))
		}
		for c := range (t.Saturated & t.Has).All() {
			stored.Saturated = append(stored.Saturated, c.Field())
		}
		out.Counters = append(out.Counters, stored)
	}
	return out
}

// inWords is a total as snapshots have it: data in words of 4 bytes.
func inWords(c counters.Counter, value uint64) uint64 {
	if c == counters.XmitData || c == counters.RcvData {
		const wordBytes = 4
		return value / wordBytes
	}
	return value
}
