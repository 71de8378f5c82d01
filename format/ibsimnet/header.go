package ibsimnet

import (
	"bytes"
	"strings"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

func (p *parser) readSwitch(text lines.Cursor) { p.readHeader(text, ib.NodeSwitch) }
func (p *parser) readCA(text lines.Cursor)     { p.readHeader(text, ib.NodeCA) }
func (p *parser) readRouter(text lines.Cursor) { p.readHeader(text, ib.NodeRouter) }

// Bounds of names. Ibsim keeps 63 bytes of a description and a NUL.
const (
	maxID          = 64
	maxDescription = 63
)

// readHeader reads a node header: the number of ports, the id in quotes, and
// behind a "#" the description and what port 0 of a switch is like.
func (p *parser) readHeader(text lines.Cursor, typ ib.NodeType) {
	count := bytes.IndexAny(text, "0123456789")
	open := bytes.IndexByte(text, '"')
	if count < 0 || open < 0 || count > open {
		p.bad(`expected the number of ports and "id" in a node header`)
		return
	}
	digits := text[count:]
	ports, _ := number(&digits)
	text = text[open:]
	id, ok := text.Between('"', '"')
	if !ok || len(id) == 0 || len(id) > maxID || ports == 0 {
		p.bad(`expected at least one port and an "id" of 1…%d bytes in a node header`, maxID)
		return
	}
	if ports > maxPorts {
		p.bad("a node has at most %d ports, not %d", maxPorts, ports)
		ports = maxPorts
	}
	if bytes.ContainsAny(id, "#@") {
		p.bad("# and @ are not allowed in the id %s", lines.Excerpt(id))
	}
	n := p.addNode(typ, string(id), int(ports))
	if i := bytes.IndexByte(text, '#'); i >= 0 {
		p.describe(n, text[i+1:])
	}
}

// addNode makes a node with the defaults that hold now.
func (p *parser) addNode(typ ib.NodeType, id string, ports int) *node {
	if p.module != "" {
		id = p.module + "#" + id
	}
	pool := &p.guids[typ]
	n := &node{
		at: p.here(), id: id, typ: typ, desc: cut(id), guid: pool.next, system: p.system, vendor: p.vendor,
		device: p.device, ports: make([]port, ports+1), left: ports, index: len(p.nodes),
	}
	if n.system == 0 {
		n.system = n.guid
	}
	pool.next++
	if typ != ib.NodeSwitch {
		pool.next += ib.GUID(ports)
	}
	for i := range n.ports {
		n.ports[i] = port{node: n, num: uint8(i), width: p.width, speed: p.speed, ext: p.ext, at: n.at}
	}
	p.vendor, p.system = 0, 0
	if first := p.byID[id]; first != nil {
		p.bad("the id %q stands for another node already; links lead to the first", id)
	} else {
		p.byID[id] = n
	}
	p.nodes = append(p.nodes, n)
	p.total += len(n.ports)
	p.open = n
	return n
}

// cut bounds a description.
func cut(desc string) string { return desc[:min(len(desc), maxDescription)] }

// describe reads what stands behind the "#" of a header.
func (p *parser) describe(n *node, text lines.Cursor) {
	text.Blanks()
	desc, quoted := text.Between('"', '"')
	if !quoted {
		desc = text
		if i := firstOf(text, " enhanced port ", " base port ", " lid ", " lmc "); i >= 0 {
			desc = text[:i]
		}
		text = text[len(desc):]
	}
	if len(desc) > 0 {
		n.desc = cut(string(desc))
	}
	if n.typ == ib.NodeSwitch {
		n.enhanced = bytes.Contains(text, []byte("enhanced port 0"))
		n.ports[0].lid, _ = p.after(text, "lid ", 0xffff)
		lmc, _ := p.after(text, "lmc ", 7)
		n.ports[0].lmc = uint8(lmc)
	}
}

// firstOf is the lowest place of one of the words, -1 for none.
func firstOf(text []byte, words ...string) int {
	first := -1
	for _, w := range words {
		if i := strings.Index(string(text), w); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// after reads the number behind the first place of a word.
func (p *parser) after(text []byte, word string, high uint64) (ib.LID, bool) {
	i := bytes.Index(text, []byte(word))
	if i < 0 {
		return 0, false
	}
	c := lines.Cursor(text[i+len(word):])
	v, ok := number(&c)
	if !ok {
		return 0, false
	}
	if v > high {
		p.bad("%s%d is above %d", word, v, high)
		return 0, false
	}
	return ib.LID(v), true
}
