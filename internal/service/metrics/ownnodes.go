package metrics

import (
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/ib"
)

// nodeFamilies say what nodes there are.
func nodeFamilies() families {
	return families{
		{
			name: "ibscope_node_info", kind: gauge, part: partState,
			labels: "fabric,guid,name,type,model,vendor,device_id,revision,firmware,psid,lid,ports,system_guid,position",
			help:   "Always 1: what a node is. Labels that are not known are empty.",
			write: func(w *writer, v *view) {
				for i := range v.nodes {
					writeNode(w, v, v.nodes[i].Node)
				}
			},
		},
		{
			name: "ibscope_nodes", kind: gauge, labels: "fabric,type", part: partGraph,
			help: "Nodes in the fabric.",
			write: func(w *writer, v *view) {
				if v.state.Fabric == nil {
					return
				}
				for _, t := range []ib.NodeType{ib.NodeCA, ib.NodeSwitch, ib.NodeRouter} {
					n := uint64(0)
					for range v.state.Fabric.NodesOf(t) {
						n++
					}
					w.uint(v.ofFabric("type", t.String()), n)
				}
			},
		},
		ofLinks("ibscope_links", "Links in the fabric, whatever their state.", func(fabric.Link) bool { return true }),
		ofLinks("ibscope_active_links", "Links whose two ends are active.", func(l fabric.Link) bool {
			return l.A.State() == ib.PortActive && l.B.State() == ib.PortActive
		}),
		ofLinks("ibscope_degraded_links", "Links that run narrower or slower than both of their ends support.", fabric.Link.IsDegraded),
		{
			name: "ibscope_problems", kind: gauge, labels: "fabric,kind", part: partGraph,
			help:  "What is missing from the graph, or wrong in it, as of the last sweep.",
			write: writeProblems,
		},
	}
}

// ofLinks declares how many links are of a sort.
func ofLinks(name, help string, is func(fabric.Link) bool) *family {
	return &family{name: name, help: help, kind: gauge, labels: "fabric", part: partGraph, write: func(w *writer, v *view) {
		if v.state.Fabric == nil {
			return
		}
		n := uint64(0)
		for l := range v.state.Fabric.Links() {
			if is(l) {
				n++
			}
		}
		w.uint(v.ofFabric(), n)
	}}
}

func writeNode(w *writer, v *view, n *fabric.Node) {
	info := n.Info()
	var firmware, psid string
	if h := v.hardware(n.GUID()); h != nil {
		firmware, psid = h.Firmware, h.PSID
	}
	w.uint(v.ofFabric(
		"guid", n.GUID().String(), "name", v.name(n), "type", n.Type().String(),
		"model", model.Name(info.VendorID, info.DeviceID), "vendor", model.Vendor(info.VendorID),
		"device_id", fmt.Sprintf("0x%04x", info.DeviceID), "revision", fmt.Sprintf("0x%x", info.Revision),
		"firmware", firmware, "psid", psid,
		"lid", lidOf(n), "ports", strconv.Itoa(n.NumPorts()),
		"system_guid", info.SystemImageGUID.String(), "position", n.Slot().String(),
	), 1)
}

// hardware is what is known of a device beside the graph.
func (v *view) hardware(node ib.GUID) *Hardware {
	if v.about == nil {
		return nil
	}
	return v.about(v.state.Name, node)
}

// lidOf is the LID of a node's first port that has one, "" for none.
func lidOf(n *fabric.Node) string {
	for p := range n.Ports() {
		if lid := p.LID(); lid != 0 {
			return strconv.Itoa(int(lid))
		}
	}
	return ""
}

// problemKinds are all kinds, so that those without a problem are 0.
var problemKinds = []fabric.ProblemKind{
	fabric.NoReply, fabric.BadStatus, fabric.BadReply, fabric.DuplicateGUID, fabric.LinkConflict,
	fabric.RateMismatch, fabric.TooFar, fabric.NotFinished, fabric.BadChassis, fabric.BadInput, fabric.FilesDisagree,
}

func writeProblems(w *writer, v *view) {
	if v.state.Fabric == nil {
		return
	}
	n := map[fabric.ProblemKind]uint64{}
	for _, p := range v.state.Fabric.Problems() {
		n[p.Kind]++
	}
	for _, kind := range problemKinds {
		w.uint(v.ofFabric("kind", string(kind)), n[kind])
	}
}
