package fabricjson

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

func (w *writer) link(l fabric.Link) {
	w.end("a", l.A)
	w.end("b", l.B)
	w.rate("active", l.A.Active())
	if best := l.Best(); best.Width != 0 && best.Speed != 0 {
		w.rate("best", best)
	}
	w.flag("degraded", l.IsDegraded())
	w.flag("disagrees", l.Disagrees())
	w.flag("one_way", l.OneWay())
}

// end writes one end of a link, with enough about its node that a reader needs
// no look-up.
func (w *writer) end(name string, p *fabric.Port) {
	n := p.Node()
	w.object(name, func() {
		w.text("guid", n.GUID().String())
		w.number("port", int64(p.Num()))
		w.text("port_guid", p.GUID().String())
		w.number("lid", int64(p.LID()))
		w.text("type", n.Type().String())
		w.description(n)
		if s := p.State(); s != ib.PortNoChange {
			w.text("state", s.String())
		}
	})
}

func (w *writer) problem(p fabric.Problem) {
	w.text("kind", string(p.Kind))
	w.text("message", p.Error())
	w.flag("loss", p.Kind.IsLoss())
	if p.GUID != 0 {
		w.text("guid", p.GUID.String())
		if p.Port >= 0 {
			w.number("port", int64(p.Port))
		}
	}
	if p.Target.LID != 0 {
		w.number("lid", int64(p.Target.LID))
	}
	if p.Target.IsDirected() && p.File == "" {
		w.text("path", p.Target.Path.String())
	}
	if p.Attr != 0 {
		w.text("attribute", fmt.Sprintf("0x%04x", uint16(p.Attr)))
		w.number("modifier", int64(p.Modifier))
	}
	if p.File != "" {
		w.text("file", p.File)
	}
	if p.Detail != "" {
		w.text("detail", p.Detail)
	}
	if p.Err != nil {
		w.text("error", p.Err.Error())
	}
}
