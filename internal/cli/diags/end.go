package diags

import (
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/ib"
)

// End is a port with enough about its node that a reader needs no look-up: an end
// of a link, as data.
type End struct {
	GUID        ib.GUID `json:"guid"` // of the node
	Port        int     `json:"port"`
	PortGUID    ib.GUID `json:"port_guid,omitzero"`
	LID         ib.LID  `json:"lid,omitempty"`
	External    int     `json:"external,omitempty"`
	Type        string  `json:"type"`
	Description string  `json:"description,omitempty"`
	Name        string  `json:"name,omitempty"` // of a name map
	State       string  `json:"state,omitempty"`
	PhysState   string  `json:"phys_state,omitempty"`
}

// EndOf is a port of a node as an End. A port that is not known has no more than
// its number.
func EndOf(n *fabric.Node, num int, names iblinkinfo.Namer) End {
	e := End{GUID: n.GUID(), Port: num, Type: n.Type().String()}
	if d := n.Description(); utf8.ValidString(d) {
		e.Description = d
	}
	if names != nil {
		e.Name = names.Name(n.GUID(), "")
	}
	p := n.Port(num)
	if p == nil {
		return e
	}
	e.PortGUID, e.LID, e.External = p.GUID(), p.LID(), p.ExternalNum()
	if s := p.State(); s != ib.PortNoChange {
		e.State = s.String()
	}
	if s := p.PhysState(); s != ib.PhysNoChange {
		e.PhysState = s.String()
	}
	return e
}
