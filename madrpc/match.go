package madrpc

import "github.com/ibscope/ibscope/mad"

// answers reports whether p, whose transaction ID is that of request, can be
// the reply to it. The two classes of subnet management do not stand in for
// each other: an agent replies in the class it was asked in.
func answers(p, request *mad.Packet) bool {
	if p.Class() != request.Class() || !respondsTo(p.Method(), request.Method()) {
		return false
	}
	status := p.Status()
	if p.AttrID() != request.AttrID() {
		// A redirection carries ClassPortInfo, and names it in some agents.
		return status&mad.StatusRedirect != 0 && p.AttrID() == attrClassPortInfo
	}
	if status != mad.StatusOK {
		return true
	}
	mask := selector(request)
	return p.Modifier()&mask == request.Modifier()&mask
}

const attrClassPortInfo mad.AttrID = 0x0001

// respondsTo reports whether method r is the response to method m (IBA vol. 1,
// 13.4.5): the same with the response bit, but GetResp to Set, GetTableResp to
// GetTraceTable, and TrapRepress to Trap.
func respondsTo(r, m mad.Method) bool {
	switch m {
	case mad.MethodSet:
		return r == mad.MethodGetResp || r == m|mad.ResponseBit
	case mad.MethodGetTraceTabl:
		return r == mad.MethodGetTable|mad.ResponseBit || r == m|mad.ResponseBit
	case mad.MethodTrap:
		return r == mad.MethodTrapRepress
	}
	return r == m|mad.ResponseBit
}

// selector masks the part of the attribute modifier that selects a port, a
// block or a table entry, and so comes back unchanged (IBA vol. 1, 14.2.5).
// Elsewhere the modifier means nothing, and not every agent repeats it.
func selector(request *mad.Packet) uint32 {
	if !request.Class().IsSMP() {
		return 0
	}
	switch request.AttrID() {
	case 0x0015: // PortInfo: the port; the upper bits are the sender's abilities
		return 0xff
	case 0x0014, // GUIDInfo: block
		0x0016, // P_KeyTable: port and block
		0x0017, // SLtoVLMappingTable: ports
		0x0018, // VLArbitrationTable: block and port
		0x0019, // LinearForwardingTable: block
		0x001a, // RandomForwardingTable: block
		0x001b: // MulticastForwardingTable: position and block
		return 0xffffffff
	}
	return 0
}

// sameRequest reports whether p is the request itself. Only the common header
// is compared: the kernel returns no more.
func sameRequest(p, request *mad.Packet) bool {
	return p.Class() == request.Class() && p.Method() == request.Method() &&
		p.AttrID() == request.AttrID() && p.Modifier() == request.Modifier()
}
