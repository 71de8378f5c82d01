package smpquery

import (
	"bytes"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// hidden is the line that stands in the place of the M_Key without -K.
const hidden = "Mkey:............................<not displayed>"

func portInfo(q *query) error {
	modifier := uint32(q.portnum)
	if q.extended {
		modifier |= smp.ExtendedSpeedModifier
	}
	info, err := get[smp.PortInfo](q, modifier, "port info query failed")
	if err != nil {
		return err
	}
	key, rest, _ := bytes.Cut(info.AppendDump(nil), []byte{'\n'})
	if !q.ShowKeys {
		key = []byte(hidden)
	}
	_, err = fmt.Fprintf(q.out, "# Port info: %s\n%s\n%s", q.portText(), key, rest)
	return err
}

func portInfoExtended(q *query) error {
	if err := q.needsExtended(); err != nil {
		return err
	}
	extended, err := get[smp.PortInfoExtended](q, uint32(q.portnum), "port info extended query failed")
	if err != nil {
		return err
	}
	return q.dump("Port info Extended: "+q.portText(), &extended)
}

// needsExtended looks whether the port has PortInfoExtended, and else warns as C
// does. The capabilities of a switch are those of its port 0.
func (q *query) needsExtended() error {
	node, err := madrpc.GetSMP[smp.NodeInfo](q.ctx, q.client, q.to, 0)
	if err != nil {
		q.Failed(err)
		return &diags.Fatal{Text: "node info query failed", Cause: err}
	}
	port := uint32(q.portnum)
	if node.NodeType == ib.NodeSwitch {
		port = 0
	}
	info, err := madrpc.GetSMP[smp.PortInfo](q.ctx, q.client, q.to, port)
	if err != nil {
		q.Failed(err)
		return &diags.Fatal{Text: "port info query failed", Cause: err}
	}
	const function = "is_port_info_extended_supported"
	switch {
	case info.CapMask&smp.CapCapMask2 == 0:
		diags.IBWarn(q.env, function, "port info capability mask = 0x%x doesn't indicate CapabilityMask2 support", info.CapMask)
	case info.CapMask2&smp.Cap2PortInfoExtended == 0:
		diags.IBWarn(q.env, function, "port info capability mask2 = 0x%x doesn't indicate PortInfoExtended support", info.CapMask2)
	default:
		return nil
	}
	return &failure{what: "port info extended not supported"}
}
