package ibportstate

import (
	"encoding/json"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc/portcontrol"
)

// document is what ibportstate found out and did.
type document struct {
	Operation   string            `json:"operation"`
	Destination diags.Destination `json:"destination"`
	Initial     *side             `json:"initial,omitempty"`
	After       *side             `json:"after,omitempty"`
	Peer        *side             `json:"peer,omitempty"`
	Shortfalls  []shortfall       `json:"shortfalls,omitzero"`
	Planned     []*diags.Plan     `json:"planned,omitempty"`
}

// side is one end of a link.
type side struct {
	Node         ib.GUID           `json:"node"`
	NodeType     ib.NodeType       `json:"node_type"`
	Port         int               `json:"port"`
	Destination  diags.Destination `json:"destination"`
	PortInfo     json.RawMessage   `json:"port_info,omitempty"`
	ExtendedInfo json.RawMessage   `json:"extended_port_info,omitempty"`
}

// shortfall is something in which a link falls behind what both ends could.
type shortfall struct {
	Measure  string `json:"measure"`
	Active   uint8  `json:"active_code"`
	Possible uint8  `json:"possible_code"`
	Name     string `json:"possible"`
}

// side is a port as data, as far as it was read.
func (s *session) side(p *portcontrol.Port) *side {
	if p.Node == (smp.NodeInfo{}) {
		return nil
	}
	d := &side{Node: p.Node.NodeGUID, NodeType: p.Node.NodeType, Port: p.Num, Destination: diags.DestinationOf(p.Target)}
	if p.Info != (smp.PortInfo{}) {
		d.PortInfo = s.Fields(&p.Info)
	}
	if p.Extended != nil {
		d.ExtendedInfo = s.Fields(p.Extended)
	}
	return d
}
