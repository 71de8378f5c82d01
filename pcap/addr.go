package pcap

import (
	"cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// outgoing is the header of a packet to an address, from a port with that LID.
func outgoing(p *mad.Packet, to *mad.Addr, own ib.LID) Header {
	h := common(p, to)
	h.SLID, h.DLID = own|ib.LID(to.PathBits), to.LID
	if p.Class().IsSMP() {
		h.DestQP, h.SrcQP, h.QKey = mad.QPSubnet, mad.QPSubnet, 0
	} else {
		h.DestQP, h.SrcQP = cmp.Or(to.QP, mad.QPGeneral), mad.QPGeneral
	}
	h.GRH.DGID = to.GRH.GID
	return h
}

// incoming is the header of a packet from an address to a port with that LID.
func incoming(p *mad.Packet, from *mad.Addr, own ib.LID) Header {
	h := common(p, from)
	h.SLID, h.DLID = from.LID, own|ib.LID(from.PathBits)
	if p.Class().IsSMP() {
		h.DestQP, h.SrcQP, h.QKey = mad.QPSubnet, mad.QPSubnet, 0
	} else {
		h.DestQP, h.SrcQP = mad.QPGeneral, cmp.Or(from.QP, mad.QPGeneral)
	}
	h.GRH.SGID = from.GRH.GID
	return h
}

func common(p *mad.Packet, a *mad.Addr) Header {
	h := Header{SL: a.SL & 0xf, PKey: defaultPKey, QKey: cmp.Or(a.QKey, mad.WellKnownQK)}
	if p.Class().IsSMP() {
		h.VL = vlManage
	}
	if a.HasGRH {
		h.HasGRH = true
		h.GRH = GRH{TrafficClass: a.GRH.TrafficClass, FlowLabel: a.GRH.FlowLabel, HopLimit: a.GRH.HopLimit}
	}
	return h
}
