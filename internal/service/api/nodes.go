package api

import (
	"encoding/hex"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/ib"
)

func (a *API) nodes(r *request) error {
	if err := r.known(); err != nil {
		return err
	}
	c := r.choose()
	var fit []*fabric.Node
	for _, n := range r.index.nodes {
		if c.node(n) && r.wantsNode(n) {
			fit = append(fit, n)
		}
	}
	r.sortNodes(fit)
	from, to, next := r.window(len(fit))
	head := Page[Node]{Schema: "ibscope.api.nodes", Total: len(fit), Offset: from, Next: next}
	return list(r, head, each(fit[from:to], r.node))
}

// each makes items of what they are about.
func each[F, T any](of []F, item func(F) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, f := range of {
			if !yield(item(f)) {
				return
			}
		}
	}
}

// wantsNode reports whether the links of a node are as the request wants them.
func (r *request) wantsNode(n *fabric.Node) bool {
	if !r.has("degraded") && !r.has("flapping") && !r.has("errors") {
		return true
	}
	s := r.sums(n)
	grew := s.perSecond != nil && *s.perSecond > 0
	return r.wants("degraded", func() bool { return s.degraded > 0 }) && r.wants("flapping", func() bool { return s.flapping > 0 }) &&
		r.wants("errors", func() bool { return grew })
}

// sums are what the ports of a node give together.
type sums struct {
	links, active, degraded, flapping int
	errors                            *uint64
	perSecond                         *float64
}

func (r *request) sums(n *fabric.Node) (s sums) {
	for p := range n.Ports() {
		c := r.counted(p)
		s.errors, s.perSecond = both(s.errors, c.sum()), both(s.perSecond, c.sumPerSecond())
		if p.Remote() == nil || p.Num() == 0 {
			continue
		}
		s.links++
		if p.State() == ib.PortActive {
			s.active++
		}
		if (fabric.Link{A: p, B: p.Remote()}).IsDegraded() {
			s.degraded++
		}
		if r.flaps(p).now {
			s.flapping++
		}
	}
	return s
}

// flaps is what events tell of a port's link.
func (r *request) flaps(p *fabric.Port) flap { return r.api.flapsOf(r.state.Name, p) }

func (r *request) sortNodes(list []*fabric.Node) {
	switch key := strings.TrimPrefix(r.text("sort"), "-"); key {
	case "":
	case "name":
		slices.SortStableFunc(list, func(a, b *fabric.Node) int { return compareNames(r.index.name(a), r.index.name(b)) })
		if strings.HasPrefix(r.text("sort"), "-") {
			slices.Reverse(list)
		}
	default:
		sortBy(r, list, func(n *fabric.Node) *float64 { return r.sums(n).key(key) })
	}
}

func (s sums) key(name string) *float64 {
	switch name {
	case "errors":
		return float(s.errors)
	case "errors_per_second":
		return s.perSecond
	case "degraded":
		return number(s.degraded)
	}
	return number(s.flapping)
}

// node is a node as an item of a list.
func (r *request) node(n *fabric.Node) Node {
	x, info, s := r.index, n.Info(), r.sums(n)
	place := x.place(n)
	out := Node{
		GUID: n.GUID(), Type: n.Type(), Name: x.name(n), Description: n.Description(), Model: model.Name(info.VendorID, info.DeviceID),
		VendorID: fmt.Sprintf("0x%06x", info.VendorID), DeviceID: fmt.Sprintf("0x%04x", info.DeviceID), Revision: info.Revision,
		SystemImageGUID: info.SystemImageGUID, NumPorts: n.NumPorts(), Chassis: chassis(n),
		Role: string(place.Role), Tier: place.Tier, Group: place.Group, Rail: place.Rail, Plane: place.Plane, Host: x.hosts[place.Host],
		Links: s.links, Active: s.active, Degraded: s.degraded, Flapping: s.flapping, Errors: s.errors, ErrorsPerSecond: s.perSecond,
	}
	if p := portWithLID(n); p != nil {
		out.LID = p.LID()
	}
	if firmware, ok := n.Firmware(); ok {
		out.Firmware, out.PSID = firmware.Version, firmware.PSID
	}
	if path, ok := n.Path(); ok {
		out.Path = path.String()
	}
	if !utf8.ValidString(out.Description) {
		out.DescriptionHex = hex.EncodeToString([]byte(out.Description))
	}
	return out
}

func chassis(n *fabric.Node) *Chassis {
	c := n.Chassis()
	if c == nil {
		return nil
	}
	slot := n.Slot()
	out := &Chassis{Number: c.Number, Position: slot.String(), Type: slot.Type}
	if g := c.GUID; g != 0 {
		out.GUID = &g
	}
	return out
}

func (a *API) oneNode(r *request) error {
	if err := r.known(); err != nil {
		return err
	}
	n, ok := r.index.fabric.NodeByGUID(r.guid("guid"))
	if !ok {
		return &Error{http.StatusNotFound, "there is no node with this GUID"}
	}
	answer := NodeAnswer{
		Schema: "ibscope.api.node", Version: Version, Fabric: r.state.Name, At: utc(r.state.At), Node: r.node(n), Ports: []Port{},
	}
	for p := range n.Ports() {
		answer.Ports = append(answer.Ports, r.port(p))
	}
	return r.json(answer)
}
