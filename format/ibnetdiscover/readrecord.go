package ibnetdiscover

import (
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// head is what stands before a node header, or in it.
type head struct {
	vendor   uint32
	device   uint16
	system   ib.GUID
	guid     ib.GUID // first GUID of switchguid=, caguid=, rtguid=
	inParens ib.GUID // GUID in parentheses behind it
	hasGUID  bool
}

// record is a node with a header of its own.
type record struct {
	head
	line     int32
	id       int32 // in peers
	section  int32 // chassis of -g, 0 for none
	typ      ib.NodeType
	numPorts uint8
	lmc      uint8
	lid      ib.LID
	hasLID   bool
	port0    port0Kind
	hasDesc  bool
	desc     string
	portGUID ib.GUID // of a list or ports report
}

// port0Kind is what a header says about port 0 of a switch.
type port0Kind uint8

const (
	port0Untold port0Kind = iota
	port0Base
	port0Enhanced
)

// peer is an id, and what others tell about the node with it.
type peer struct {
	id      string
	guid    ib.GUID
	hasGUID bool
	record  int32 // first record with this id, -1 for none
	shared  bool  // several records have this id
	maxPort uint8
	line    int32 // first mention on a port line, 0 for none
	lid     ib.LID
	hasDesc bool
	desc    string
	byCA    bool // first mentioned by a CA or router
}

// link is one port line: a port and what it is connected to.
type link struct {
	line     int32
	record   int32
	peer     int32
	num      uint8
	peerNum  uint8
	lmc      uint8
	has      linkParts
	lid      ib.LID
	peerLID  ib.LID
	guid     ib.GUID
	peerGUID ib.GUID
	rate     rate
}

// linkParts says what a port line tells.
type linkParts uint8

const (
	hasLID linkParts = 1 << iota
	hasPeerLID
	hasGUID
	hasPeerGUID
	noPeer // a port without a cable
)

// peerOf finds the entry of an id, and makes one for a new id.
func (d *reader) peerOf(id []byte) int32 {
	if i, ok := d.ids[string(id)]; ok {
		return i
	}
	return d.addPeer(string(id))
}

func (d *reader) addPeer(id string) int32 {
	p := peer{id: id, record: -1}
	if len(id) > 2 && id[1] == '-' {
		guid, ok := lines.Hex([]byte(id[2:]))
		p.guid, p.hasGUID = ib.GUID(guid), ok
	}
	i := int32(len(d.peers))
	d.peers = append(d.peers, p)
	d.ids[id] = i
	return i
}

// addRecord makes a node the one that port lines belong to.
func (d *reader) addRecord(r record) {
	r.line, r.section = int32(d.line), d.section
	d.current = int32(len(d.records))
	if p := &d.peers[r.id]; p.record < 0 {
		p.record = d.current
	} else {
		p.shared = true
	}
	d.records = append(d.records, r)
}

// typeOfID is the node type that the letter of an id stands for, 0 for none.
func typeOfID(id string) ib.NodeType {
	if len(id) < 2 || id[1] != '-' {
		return 0
	}
	switch id[0] {
	case 'S':
		return ib.NodeSwitch
	case 'H':
		return ib.NodeCA
	case 'R':
		return ib.NodeRouter
	}
	return 0
}
