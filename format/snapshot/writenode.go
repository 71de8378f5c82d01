package snapshot

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
)

// node writes a node. Its GUID, type and description are for people: what counts
// is in the attributes.
func (w *writer) node(f *fabric.Fabric, n *fabric.Node) {
	w.guid("guid", n.GUID())
	w.text("type", n.Type().String())
	if n.HasDescription() {
		w.text("description", n.Description())
	}
	w.attribute("node_info", n.InfoBytes())
	if n.HasDescription() {
		w.attribute("node_description", n.DescriptionBytes())
	}
	if path, ok := n.Path(); ok {
		w.text("path", path.String())
	}
	if info := n.SwitchInfoBytes(); info != nil {
		w.attribute("switch_info", info)
	}
	if f, ok := n.Firmware(); ok {
		w.raw("firmware", f.Version)
		if f.PSID != "" {
			w.raw("psid", f.PSID)
		}
	}
	w.tables(n)
	w.extra(w.s.extra[n])
	w.key("ports")
	w.open('[')
	own := n.Info().PortGUID
	for p := range n.Ports() {
		w.open('{')
		w.number("port", int64(p.Num()))
		if p.GUID() != own {
			w.guid("guid", p.GUID())
		}
		w.port(f, p)
		w.close('}')
	}
	w.close(']')
}

func (w *writer) tables(n *fabric.Node) {
	if table := n.LFT(); table != nil {
		w.hex("lft", table)
	}
	blocks := w.s.Multicast[n]
	if blocks == nil {
		return
	}
	w.key("mft")
	w.open('[')
	for i := range blocks {
		w.open('{')
		w.number("position", int64(blocks[i].Position))
		w.number("block", int64(blocks[i].Block))
		w.attribute("masks", &blocks[i].Masks)
		w.close('}')
	}
	w.close(']')
}

func (w *writer) port(f *fabric.Fabric, p *fabric.Port) {
	if info := p.InfoBytes(); info != nil {
		w.attribute("port_info", info)
	}
	if info := p.ExtendedInfoBytes(); info != nil {
		w.attribute("extended_port_info", info)
	}
	w.nonzero("info_order", int64(p.InfoOrder()))
	if r := p.Remote(); r != nil {
		w.pair("peer", r.Node().Index(), r.Num())
	}
	w.extra(w.s.extra[p])
}

func (w *writer) problems(f *fabric.Fabric, list []fabric.Problem) {
	if f == nil && len(list) == 0 {
		return
	}
	w.array("problems", func() {
		for i := range list {
			w.item(func() { w.problem(&list[i]); w.extra(w.s.extra[problemOf{f, i}]) })
		}
	})
}

func (w *writer) problem(p *fabric.Problem) {
	w.text("kind", string(p.Kind))
	w.text("message", p.Error()) // for people
	if p.Target.LID != 0 || p.Target.SLID != 0 {
		w.number("lid", int64(p.Target.LID))
		w.number("slid", int64(p.Target.SLID))
	}
	if p.Target.Directed || p.Target.Path.Len() > 0 {
		w.text("path", p.Target.Path.String())
	}
	if p.GUID != 0 {
		w.guid("guid", p.GUID)
	}
	w.nonzero("port", int64(p.Port))
	if p.Class != 0 {
		w.text("class", fmt.Sprintf("0x%02x", uint8(p.Class)))
	}
	if p.Attr != 0 {
		w.text("attribute", fmt.Sprintf("0x%04x", uint16(p.Attr)))
		w.nonzero("modifier", int64(p.Modifier))
	}
	if p.File != "" {
		w.raw("file", p.File)
	}
	if p.Detail != "" {
		w.raw("detail", p.Detail)
	}
	w.cause(p.Err)
}
