package ibidsverify

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/identifiers"
	"github.com/ibscope/ibscope/ib"
)

type document struct {
	Findings []finding `json:"findings"`
}

type finding struct {
	Kind    identifiers.Kind `json:"kind"`
	Message string           `json:"message"`
	LID     *ib.LID          `json:"lid,omitempty"`
	GUID    *ib.GUID         `json:"guid,omitempty"`
	At      place            `json:"at"`
	Other   *place           `json:"other,omitempty"`
}

// place is a port that has an identifier.
type place struct {
	NodeGUID    ib.GUID `json:"node_guid"`
	Type        string  `json:"type"`
	Description string  `json:"description"`
	Port        int     `json:"port"`
	PortGUID    ib.GUID `json:"port_guid"`
	LID         ib.LID  `json:"lid"`
}

func documentOf(findings []identifiers.Finding) document {
	d := document{Findings: []finding{}}
	for _, f := range findings {
		out := finding{Kind: f.Kind, Message: f.String(), At: placeOf(f.Port)}
		switch f.Kind {
		case identifiers.ZeroLID, identifiers.DuplicateLID:
			out.LID = &f.LID
		default:
			out.GUID = &f.GUID
		}
		if f.Other != nil {
			other := placeOf(f.Other)
			out.Other = &other
		}
		d.Findings = append(d.Findings, out)
	}
	return d
}

func placeOf(p *fabric.Port) place {
	n := p.Node()
	return place{n.GUID(), n.Type().String(), n.Description(), p.Num(), p.GUID(), p.LID()}
}
