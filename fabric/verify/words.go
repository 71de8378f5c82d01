package verify

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

func (c *checker) add(f Finding) { c.report.Findings = append(c.report.Findings, f) }

// place names a port: "leaf01 port 17 (cage 9/1)".
func (c *checker) place(s spot) string {
	n := c.node(s)
	if n == nil {
		e := c.gone[int(s.node)-len(c.nodes)]
		if s.port < 0 {
			return e.node() + " cage " + e.Cage
		}
		return fmt.Sprintf("%s port %d", e.node(), s.port)
	}
	return c.name(n) + " " + c.socket(s)
}

// socket names a port of a node that is named already.
func (c *checker) socket(s spot) string {
	text := fmt.Sprintf("port %d", s.port)
	if n := c.node(s); n != nil {
		if cage := Cage(n, int(s.port)); cage != "" {
			text += " (cage " + cage + ")"
		}
	}
	return text
}

// nodeName is the name of a spot's node.
func (c *checker) nodeName(s spot) string {
	if n := c.node(s); n != nil {
		return c.name(n)
	}
	return c.gone[int(s.node)-len(c.nodes)].node()
}

// cable names a planned cable by its label, if it has one, and both ends.
func (c *checker) cable(w *wire) string {
	text := "the cable"
	if w.cable != nil && w.cable.Label != "" {
		text = "cable " + w.cable.Label
	}
	return text + " from " + c.place(w.ends[0]) + " to " + c.place(w.ends[1])
}

// label names a planned cable in short, where its ends were named before.
func label(w *wire) string {
	if w.cable.Label != "" {
		return "cable " + w.cable.Label
	}
	return "the cable"
}

// light tells what a port sees, if that helps: "; the port is polling".
func (c *checker) light(s spot) string {
	n := c.node(s)
	if n == nil {
		return ""
	}
	p := n.Port(int(s.port))
	if p == nil || p.InfoBytes() == nil || p.Remote() != nil {
		return ""
	}
	switch state := p.PhysState(); state {
	case ib.PhysLinkUp, ib.PhysNoChange:
		return ""
	default:
		return fmt.Sprintf("%s is %s", c.place(s), state)
	}
}

func upper(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

// isSwitch tells whether a spot is known to be on a switch.
func (c *checker) isSwitch(s spot) bool {
	n := c.node(s)
	return n != nil && n.Type() == ib.NodeSwitch
}

func linksOf(list ...*wire) (links []fabric.Link) {
	for _, w := range list {
		if w.cable == nil {
			links = append(links, w.link)
		}
	}
	return links
}

func cablesOf(list ...*wire) (cables []*Cable) {
	for _, w := range list {
		if w.cable != nil {
			cables = append(cables, w.cable)
		}
	}
	return cables
}
