package api

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// portNamed finds the port that a text names, as ibscope trace does: a name, NAME/PORT, a
// GUID, a LID; "lid:" or "guid:" in front says which. Of a switch it is port 0.
func (x *index) portNamed(text string) (*fabric.Port, error) {
	kind, value, _ := strings.Cut(text, ":")
	switch kind {
	case "lid":
		return x.portByLID(value)
	case "guid":
		return x.portByGUID(value)
	}
	lookup := x.lookup()
	if nodes := lookup(text); len(nodes) > 0 {
		return portOf(text, nodes, 0)
	}
	if i := strings.LastIndexByte(text, '/'); i > 0 {
		num, err := strconv.Atoi(text[i+1:])
		if nodes := lookup(text[:i]); err == nil && num > 0 && len(nodes) > 0 {
			return portOf(text, nodes, num)
		}
		if g, bad := ib.ParseGUID(text[:i]); err == nil && bad == nil {
			if n, ok := x.fabric.NodeByGUID(g); ok {
				return portOf(text, []*fabric.Node{n}, num)
			}
		}
	}
	if _, err := ib.ParseLID(text); err == nil && len(text) <= len("0xbfff") {
		return x.portByLID(text)
	}
	if strings.HasPrefix(text, "0x") || len(text) == 16 {
		return x.portByGUID(text)
	}
	return nil, notFound("no node of the fabric is called %q", text)
}

func notFound(format string, args ...any) error {
	return &Error{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

func (x *index) portByLID(text string) (*fabric.Port, error) {
	lid, err := ib.ParseLID(text)
	if err != nil {
		return nil, bad("%q is no LID", text)
	}
	if p, ok := x.fabric.PortByLID(lid); ok {
		return p, nil
	}
	return nil, notFound("no port of the fabric has LID %d", lid)
}

func (x *index) portByGUID(text string) (*fabric.Port, error) {
	g, err := ib.ParseGUID(text)
	if err != nil {
		return nil, bad("%q is no GUID", text)
	}
	if n, ok := x.fabric.NodeByGUID(g); ok {
		return portOf(text, []*fabric.Node{n}, 0)
	}
	if p, ok := x.fabric.PortByGUID(g); ok {
		return p, nil
	}
	return nil, notFound("no node or port of the fabric has GUID %s", g)
}

// portOf is a port of the one node with a name: that with the number, or the first with
// a link.
func portOf(text string, nodes []*fabric.Node, num int) (*fabric.Port, error) {
	if len(nodes) > 1 {
		return nil, bad("%d nodes are called %q: name one by its GUID", len(nodes), text)
	}
	n := nodes[0]
	if p := n.Port(0); p != nil && n.Type() == ib.NodeSwitch {
		return p, nil
	}
	for p := range n.Ports() {
		if p.Num() == num || num == 0 && p.Remote() != nil {
			return p, nil
		}
	}
	return nil, notFound("%q: there is no such port, or none with a link", text)
}
