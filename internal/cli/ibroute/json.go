package ibroute

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/madrpc/forwarding"
)

type document struct {
	Tables []*table `json:"tables"`
}

// table is a forwarding table, or the part of it that was asked for.
type table struct {
	Destination diags.Destination `json:"destination"`
	GUID        ib.GUID           `json:"guid"` // of the switch
	Name        string            `json:"name"`
	NumPorts    uint8             `json:"num_ports"`
	FirstLID    int               `json:"first_lid"`
	LastLID     int               `json:"last_lid"`
	Unicast     []unicastEntry    `json:"unicast,omitempty"`
	Multicast   []multicastEntry  `json:"multicast,omitempty"`
}

type unicastEntry struct {
	LID   int        `json:"lid"`
	Port  uint8      `json:"port"`
	Valid bool       `json:"valid"` // the switch has such a port
	Owner *entryPort `json:"owner,omitempty"`
}

// entryPort is the port that has a LID.
type entryPort struct {
	Type     string  `json:"type"`
	PortGUID ib.GUID `json:"port_guid"`
	Name     string  `json:"name"`
	LID      int     `json:"lid"` // its base LID
	LMC      uint8   `json:"lmc"`
}

type multicastEntry struct {
	LID   uint32 `json:"lid"`
	Ports []int  `json:"ports"`
}

func (s *settings) document() document {
	return document{Tables: append([]*table{}, s.tables...)}
}

// note begins a table of the document.
func (s *settings) note(sw *device, first, last int) {
	if s.JSON {
		s.tables = append(s.tables, &table{
			Destination: diags.DestinationOf(sw.to), GUID: sw.guid, Name: sw.name, NumPorts: sw.ports, FirstLID: first, LastLID: last,
		})
	}
}

func (s *settings) noteUnicast(lid int, port uint8, sw *device, o *owner) {
	if !s.JSON {
		return
	}
	e := unicastEntry{LID: lid, Port: port, Valid: port <= sw.ports}
	if o != nil {
		e.Owner = &entryPort{o.kind.String(), o.guid, o.name, o.lid, o.lmc}
	}
	t := s.tables[len(s.tables)-1]
	t.Unicast = append(t.Unicast, e)
}

func (s *settings) noteMulticast(lid uint32, b *forwarding.MulticastBlock, index, ports int) {
	if !s.JSON {
		return
	}
	e := multicastEntry{LID: lid, Ports: []int{}}
	for port := range ports + 1 {
		if b.Has(index, uint8(port)) {
			e.Ports = append(e.Ports, port)
		}
	}
	t := s.tables[len(s.tables)-1]
	t.Multicast = append(t.Multicast, e)
}
