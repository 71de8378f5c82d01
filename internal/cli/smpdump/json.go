package smpdump

import (
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
)

// document is the attribute as bytes.
type document struct {
	Destination diags.Destination `json:"destination"`
	AttributeID string            `json:"attribute_id"`
	Modifier    uint32            `json:"modifier"`
	Status      string            `json:"status"` // without the direction bit
	Data        string            `json:"data"`
}

func newDocument(s *settings, p *mad.Packet) *document {
	return &document{
		Destination: diags.DestinationOf(s.to),
		AttributeID: fmt.Sprintf("0x%04x", uint16(s.attr)), Modifier: s.modifier,
		Status: fmt.Sprintf("0x%04x", uint16(p.Status())), Data: fmt.Sprintf("0x%x", p.SMPData()[:]),
	}
}
