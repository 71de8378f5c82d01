package ibsimnet

import (
	"bytes"
	"strings"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// readPort reads a port line
//
//	[1](guid)  "remote id"[2](guid)  w=1 s=7 e=1  # … lid 3 lmc 0 "description" lid 4 4xEDR
//
// or, with "@" in front, the line of a port that others link to by an alias.
// GUIDs in parentheses mean nothing: ports are numbered from the node GUID.
func (p *parser) readPort(text lines.Cursor) {
	n := p.open
	if n == nil {
		p.bad("expected a node header before this port line")
		return
	}
	if n.left == 0 {
		p.bad("node %q has %d ports, and all were listed before this line", n.id, len(n.ports)-1)
		return
	}
	alias := text.Byte('@')
	inner, ok := text.Between('[', ']')
	num := lines.Cursor(inner)
	num.Blanks()
	v, isNumber := num.Uint()
	if !ok || !isNumber || v < 1 || v >= len(n.ports) {
		p.bad("expected a port number in [1]…[%d]", len(n.ports)-1)
		return
	}
	name, ok := p.peerName(&text)
	if !ok {
		return
	}
	pt := &n.ports[v]
	if pt.listed {
		p.bad("port %d was listed before, in line %d; this line is not used", v, pt.at.line)
		return
	}
	n.left--
	pt.listed, pt.at = true, p.here()
	if alias {
		p.setAlias(pt, name)
	} else {
		p.setRemote(pt, name, &text)
	}
	p.readOptions(pt, text)
	if n.typ != ib.NodeRouter {
		p.readConnection(pt, text)
	}
}

// peerName takes the id or alias of a port line.
func (p *parser) peerName(text *lines.Cursor) (string, bool) {
	i := bytes.IndexByte(*text, '"')
	if i < 0 {
		p.bad(`expected "id" of the other end, or "alias"`)
		return "", false
	}
	*text = (*text)[i:]
	name, ok := text.Between('"', '"')
	if !ok || len(name) == 0 || len(name) > maxID {
		p.bad(`expected an id or alias of 1…%d bytes in quotes`, maxID)
		return "", false
	}
	return string(name), true
}

// setAlias gives a port a name by which other ports link to it.
func (p *parser) setAlias(pt *port, name string) {
	key := p.module + "@" + name
	switch {
	case strings.ContainsAny(name, "#@"):
		p.bad("# and @ are not allowed in the alias %q", name)
	case p.aliases[key] != nil:
		p.bad("the alias %q stands for another port already", key)
	default:
		p.aliases[key] = pt
		pt.alias = true
	}
}

// setRemote keeps what a port is connected to. Names are completed with the
// module that they are in.
func (p *parser) setRemote(pt *port, name string, text *lines.Cursor) {
	switch {
	case strings.HasPrefix(name, "@"):
		name = p.module + name
	case p.module != "" && !strings.ContainsAny(name, "#@"):
		name = p.module + "#" + name
	}
	pt.remote, pt.rport = name, 1
	t := *text
	if t.Blanks(); len(t) != len(*text) && len(t) > 0 && t[0] == '[' {
		p.bad(`ibsim does not see a port number with blanks before it, as in "id" [2]`)
	}
	inner, ok := t.Between('[', ']')
	if !ok {
		return
	}
	*text = t
	num := lines.Cursor(inner)
	num.Blanks()
	v, isNumber := num.Uint()
	if !isNumber || v < 1 || v > maxPorts {
		p.bad("expected the number of the other port, 1…%d, in brackets", maxPorts)
		return
	}
	pt.rport = uint8(v)
}

// readOptions reads w=, s= and e=: a number behind an equals sign, and the next
// letter to the left of it. Ibsim looks for them in the whole line, comment and
// descriptions included.
func (p *parser) readOptions(pt *port, text lines.Cursor) {
	for i := range text {
		if text[i] != '=' {
			continue
		}
		letter := i - 1
		for letter >= 0 && !isLetter(text[letter]) {
			letter--
		}
		if letter < 0 {
			continue
		}
		value := text[i+1:]
		v, ok := number(&value)
		switch option := text[letter]; {
		case option == 'w' && ok && v >= 1 && v <= 31:
			pt.width = ib.LinkWidth(v)
		case option == 's' && ok && v >= 1 && v <= 7:
			pt.speed = uint8(v)
		case option == 'e' && ok && v <= 15:
			pt.ext = uint8(v)
		case option == 'w' || option == 's' || option == 'e':
			p.bad("expected w=1…31, s=1…7 or e=0…15, got %s", lines.Excerpt(text[letter:]))
		}
	}
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
