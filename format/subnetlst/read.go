package subnetlst

import (
	"bytes"
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Read reads a list of links. Name stands for the file in problems. Errors are
// *facts.Error: of the stream, facts.ErrNothing and facts.ErrTooLarge.
func Read(r io.Reader, name string) (*fabric.Fabric, error) {
	set := facts.NewSet()
	if err := ReadInto(r, set.File(name)); err != nil {
		return nil, err
	}
	return set.Build()
}

// ReadInto tells what the list says to a file of a set; OpenSM writes each link
// twice, once from each end. The error is that of the stream.
//
// Ports that are not linked are not in a list, and of the rates only the width
// and one speed are: ibdiagnet of ibutils 1.5 knows the base speeds only, and
// calls a faster link 10.
func ReadInto(r io.Reader, f *facts.File) error {
	return f.Each(r, func(line int, text []byte) {
		text = bytes.TrimSpace(text)
		if len(text) == 0 || text[0] == '#' {
			return
		}
		if !readLink(f, line, text) {
			f.Bad(line, "expected { node and port } { node and port } PHY=4x LOG=ACT, got %s", lines.Excerpt(text))
		}
	})
}

// side is one end of a link.
type side struct {
	typ                ib.NodeType
	ports              uint64
	system, node, port ib.GUID
	vendor, device     uint64
	revision           uint64
	desc               string
	lid                ib.LID
	num                int
}

func readLink(f *facts.File, line int, text []byte) bool {
	c := lines.Cursor(text)
	a, ok := readSide(&c)
	if !ok {
		return false
	}
	c.Blanks()
	b, ok := readSide(&c)
	if !ok {
		return false
	}
	l := readState(f, line, c)
	for _, s := range []*side{&a, &b} {
		s.tell(f, line)
		l.tell(f, line, s)
	}
	f.Link(line, facts.End{Node: a.node, Port: a.num}, facts.End{Node: b.node, Port: b.num})
	return true
}

// readSide takes "{ CA Ports:01 SystemGUID:… NodeGUID:… PortGUID:… VenID:…
// DevID:… Rev:… {description} LID:0001 PN:01 }". All numbers are hexadecimal.
func readSide(c *lines.Cursor) (s side, ok bool) {
	if !c.Text("{ ") {
		return s, false
	}
	word, _, _ := bytes.Cut(c.Word(), []byte("-")) // SW-SM is the subnet manager's
	switch string(word) {
	case "CA":
		s.typ = ib.NodeCA
	case "SW":
		s.typ = ib.NodeSwitch
	case "RT", "RTR", "Rt":
		s.typ = ib.NodeRouter
	default:
		return s, false
	}
	var system, node, port uint64
	for _, field := range []struct {
		name  string
		value *uint64
	}{
		{"Ports:", &s.ports},
		{"SystemGUID:", &system},
		{"NodeGUID:", &node},
		{"PortGUID:", &port},
		{"VenID:", &s.vendor},
		{"DevID:", &s.device},
		{"Rev:", &s.revision},
	} {
		c.Blanks()
		if !c.Text(field.name) {
			return s, false
		}
		if *field.value, ok = lines.Hex(c.Word()); !ok {
			return s, false
		}
	}
	s.system, s.node, s.port = ib.GUID(system), ib.GUID(node), ib.GUID(port)
	return s, node != 0 && s.readName(c)
}

// readName takes "{description} LID:0001 PN:01 }". A description may hold braces,
// and even what looks like its end.
func (s *side) readName(c *lines.Cursor) bool {
	c.Blanks()
	if !c.Byte('{') {
		return false
	}
	end := []byte("} LID:")
	for from := 0; ; {
		i := bytes.Index((*c)[from:], end)
		if i < 0 {
			return false
		}
		from += i
		rest := (*c)[from+len(end):]
		lid, isLID := lines.Hex(rest.Word())
		rest.Blanks()
		isPort := rest.Text("PN:")
		num, isNum := lines.Hex(rest.Word())
		rest.Blanks()
		if isLID && isPort && isNum && num <= 255 && rest.Byte('}') {
			s.desc, s.lid, s.num = string((*c)[:from]), ib.LID(lid), int(num)
			*c = rest
			return true
		}
		from++
	}
}
