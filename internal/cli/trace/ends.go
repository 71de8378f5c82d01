package trace

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// finder finds ports by what people call them.
type finder struct {
	f      *fabric.Fabric
	lookup func(string) []*fabric.Node
}

func newFinder(f *fabric.Fabric, own func(*fabric.Node) (string, bool)) *finder {
	return &finder{f, verify.Lookup(f, own)}
}

// port finds a port; of a switch its port 0. Errors are *env.ExitError.
func (d *finder) port(text string) (*fabric.Port, error) {
	kind, value, _ := strings.Cut(text, ":")
	switch kind {
	case "lid":
		return d.byLID(text, value)
	case "guid":
		return d.byGUID(text, value)
	}
	if nodes := d.lookup(text); len(nodes) > 0 {
		return d.named(text, nodes, 0)
	}
	if name, num, found := cutLast(text, "/"); found {
		if port, err := strconv.Atoi(num); err == nil && port > 0 {
			if nodes := d.lookup(name); len(nodes) > 0 {
				return d.named(text, nodes, port)
			}
		}
	}
	const longestLID = len("0xbfff")
	if _, err := ib.ParseLID(text); err == nil && len(text) <= longestLID {
		return d.byLID(text, text)
	}
	if _, err := ib.ParseGUID(text); err == nil && looksLikeGUID(text) {
		return d.byGUID(text, text)
	}
	return nil, env.Exitf(env.Failed, "no node of the fabric is called %q", text)
}

// looksLikeGUID tells a GUID from a mistyped name that is one of hexadecimal
// digits by chance, as "c01" is.
func looksLikeGUID(text string) bool {
	const digits = 16
	return strings.HasPrefix(strings.ToLower(text), "0x") || strings.Contains(text, ":") || len(text) == digits
}

func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

func (d *finder) byLID(text, value string) (*fabric.Port, error) {
	lid, err := ib.ParseLID(value)
	if err != nil {
		return nil, env.Exitf(env.Usage, "%s: %w", text, err)
	}
	if p, ok := d.f.PortByLID(lid); ok {
		return p, nil
	}
	return nil, env.Exitf(env.Failed, "no port of the fabric has LID %d", lid)
}

func (d *finder) byGUID(text, value string) (*fabric.Port, error) {
	guid, err := ib.ParseGUID(value)
	if err != nil {
		return nil, env.Exitf(env.Usage, "%s: %w", text, err)
	}
	if n, ok := d.f.NodeByGUID(guid); ok {
		return d.named(text, []*fabric.Node{n}, 0)
	}
	if p, ok := d.f.PortByGUID(guid); ok {
		return p, nil
	}
	return nil, env.Exitf(env.Failed, "no node or port of the fabric has GUID %s", guid)
}

// named is a port of the one node with a name: that with the number, or the first
// with a link.
func (d *finder) named(text string, nodes []*fabric.Node, num int) (*fabric.Port, error) {
	if len(nodes) > 1 {
		var list []string
		for _, n := range nodes[:min(len(nodes), 4)] {
			list = append(list, fmt.Sprintf("%s %q", n.GUID(), n.Description()))
		}
		return nil, env.Exitf(env.Failed, "%d nodes are called %q: %s …; name one by its GUID", len(nodes), text, strings.Join(list, ", "))
	}
	n := nodes[0]
	if n.Type() == ib.NodeSwitch {
		if p := n.Port(0); p != nil {
			return p, nil
		}
	}
	for p := range n.Ports() {
		if p.Num() == num || num == 0 && p.Remote() != nil {
			return p, nil
		}
	}
	if num == 0 {
		return nil, env.Exitf(env.Failed, "no port of %q has a link", text)
	}
	return nil, env.Exitf(env.Failed, "%q: there is no such port", text)
}
