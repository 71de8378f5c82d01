package fabricjson

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

func (w *writer) header(f *fabric.Fabric) {
	w.text("schema", Schema)
	w.number("version", Version)
	s := f.Sweep()
	if s.Source != "" {
		w.text("source", s.Source)
	}
	if s.View != fabric.ByNodes {
		w.text("view", string(s.View))
	}
	if !s.Started.IsZero() {
		w.text("started", s.Started.UTC().Format(time.RFC3339Nano))
	}
	w.flag("complete", f.IsComplete())
	if p := f.Start(); p != nil {
		w.object("start", func() {
			w.text("guid", p.Node().GUID().String())
			w.number("port", int64(p.Num()))
		})
	}
	w.object("counts", func() { w.counts(f) })
}

func (w *writer) counts(f *fabric.Fabric) {
	var byType [4]int64
	links := int64(0)
	for n := range f.Nodes() {
		if t := n.Type(); t <= ib.NodeRouter {
			byType[t]++
		}
	}
	for range f.Links() {
		links++
	}
	w.number("nodes", int64(f.NumNodes()))
	w.number("cas", byType[ib.NodeCA])
	w.number("switches", byType[ib.NodeSwitch])
	w.number("routers", byType[ib.NodeRouter])
	w.number("links", links)
	w.number("problems", int64(len(f.Problems())))
}

// sweep writes what the sweep cost; stored fabrics mostly do not know.
func (w *writer) sweep(f *fabric.Fabric) {
	s := f.Sweep()
	if s.SMPs == 0 {
		return
	}
	w.object("sweep", func() {
		w.float("duration_seconds", s.Duration.Seconds(), 6)
		w.number("smps", int64(s.SMPs))
		w.number("resent", int64(s.Resent))
		w.number("timeouts", int64(s.Timeouts))
		w.number("max_hops", int64(s.MaxHops))
	})
}
