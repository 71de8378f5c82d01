package mad

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
)

// Well-known queue pairs and the key of general services.
const (
	QPSubnet    uint32 = 0
	QPGeneral   uint32 = 1
	WellKnownQK uint32 = 0x80010000
)

// Addr is the link-level address of a packet's peer: what a transport needs to
// know beside the packet itself, and what it tells about a received one.
type Addr struct {
	LID       ib.LID // permissive (0xffff) for a directed route from here
	SL        uint8
	PKeyIndex uint16
	QP        uint32
	QKey      uint32
	PathBits  uint8 // low bits of the own LID, where LMC is not 0
	HasGRH    bool
	GRH       GRH // if HasGRH: towards other subnets, and always on RoCE
}

// GRH is the part of a global route header that a sender chooses, or that a
// receiver is told: then GID is the peer's.
type GRH struct {
	GID          ib.GID
	GIDIndex     uint8 // of the own GID in the port's table
	HopLimit     uint8
	TrafficClass uint8
	FlowLabel    uint32 // 20 bits
}

// Target names the destination of a request the way a fabric engineer does:
// by LID, by directed route, or by both (LID routed up to a switch, directed
// from there). The zero Target is the local node by directed route.
type Target struct {
	LID  ib.LID    // 0: the whole way is directed
	Path ib.DRPath // hops of the directed part

	// SLID is the sender's own LID; needed only when LID and Path are both used.
	SLID ib.LID

	// Directed asks for the directed-route class although LID is set and Path
	// is empty.
	Directed bool

	SL        uint8
	PKeyIndex uint16 // of general services; SMPs have none

	// QP and QKey are those of general services; 0 stands for QPGeneral and
	// WellKnownQK. An agent that redirects requests names others.
	QP   uint32
	QKey uint32
}

// ByLID targets the port with that LID.
func ByLID(lid ib.LID) Target { return Target{LID: lid} }

// ByPath targets the node at the end of a directed route.
func ByPath(path ib.DRPath) Target { return Target{Path: path, Directed: true} }

// IsDirected reports whether an SMP to t uses the directed-route class.
func (t *Target) IsDirected() bool { return t.LID == 0 || t.Directed || t.Path.Len() > 0 }

// SMPClass is the class an SMP to t belongs to.
func (t *Target) SMPClass() Class {
	if t.IsDirected() {
		return ClassSubnDirected
	}
	return ClassSubnLID
}

// Route writes the routing part of an SMP to t into p and returns the
// link-level address to send it to. In a combined route the directed part
// starts at the LID-routed switch: DrSLID is the sender's LID.
func (t *Target) Route(p *Packet) Addr {
	if !t.IsDirected() {
		return Addr{LID: t.LID, SL: t.SL}
	}
	p.SetRoute(t.Path, t.SLID, 0)
	if t.LID != 0 {
		return Addr{LID: t.LID, SL: t.SL}
	}
	return Addr{LID: ib.PermissiveLID, SL: t.SL}
}

// String gives libibmad's words: "Lid 5", "DR path slid 0; dlid 0; 0,1,2", or
// both for a combined route.
func (t Target) String() string {
	if !t.IsDirected() {
		return fmt.Sprintf("Lid %d", t.LID)
	}
	dr := fmt.Sprintf("DR path slid %d; dlid %d; %s", drLID(t.SLID, t.LID), drLID(0, t.LID), t.Path)
	if t.LID != 0 {
		return fmt.Sprintf("Lid %d %s", t.LID, dr)
	}
	return dr
}

// drLID is how libibmad shows a DR LID: 65535 once a LID takes part.
func drLID(lid, routed ib.LID) ib.LID {
	if lid == 0 && routed != 0 {
		return ib.PermissiveLID
	}
	return lid
}
