package smpquery

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// operation is one of the things that can be asked.
type operation struct {
	name, alias string
	port        bool // takes a port number
	run         func(*query) error
}

var operations = []operation{
	{"NodeInfo", "NI", false, nodeInfo},
	{"NodeDesc", "ND", false, nodeDesc},
	{"PortInfo", "PI", true, portInfo},
	{"PortInfoExtended", "PIE", true, portInfoExtended},
	{"SwitchInfo", "SI", false, switchInfo},
	{"PKeyTable", "PKeys", true, pkeyTable},
	{"SL2VLTable", "SL2VL", true, slToVLTable},
	{"VLArbitration", "VLArb", true, vlArbitration},
	{"GUIDInfo", "GI", false, guidInfo},
	{"MlnxExtPortInfo", "MEPI", true, extendedPortInfo},
}

func find(name string) *operation {
	for i := range operations {
		if o := &operations[i]; strings.EqualFold(name, o.name) || strings.EqualFold(name, o.alias) {
			return o
		}
	}
	return nil
}

// get asks the device for an attribute; what names the failure as C does.
func get[T any, P madrpc.SMPAttribute[T]](q *query, modifier uint32, what string) (T, error) {
	v, err := madrpc.GetSMP[T, P](q.ctx, q.client, q.to, modifier)
	if err != nil {
		return v, &failure{what, err}
	}
	q.note(P(&v), modifier)
	return v, nil
}

// dump prints an attribute below a heading.
func (q *query) dump(heading string, v field.Value) error {
	_, err := fmt.Fprintf(q.out, "# %s\n%s", heading, v.AppendDump(nil))
	return err
}

// port is the text of the destination and the port number.
func (q *query) portText() string { return fmt.Sprintf("%s port %d", diags.PortID(q.to), q.portnum) }

func nodeInfo(q *query) error {
	info, err := get[smp.NodeInfo](q, 0, "node info query failed")
	if err != nil {
		return err
	}
	return q.dump("Node info: "+diags.PortID(q.to), &info)
}

func nodeDesc(q *query) error {
	info, err := get[smp.NodeInfo](q, 0, "node info query failed")
	if err != nil {
		return err
	}
	desc, err := get[smp.NodeDescription](q, 0, "node desc query failed")
	if err != nil {
		return err
	}
	name := diags.NodeName(q.namer, info.NodeGUID, desc.String())
	dots := strings.Repeat(".", max(1, 32-len(name)))
	_, err = fmt.Fprintf(q.out, "Node Description:%s%s\n", dots, name)
	return err
}

func switchInfo(q *query) error {
	info, err := get[smp.SwitchInfo](q, 0, "switch info query failed")
	if err != nil {
		return err
	}
	return q.dump("Switch info: "+diags.PortID(q.to), &info)
}

func extendedPortInfo(q *query) error {
	info, err := get[smp.ExtendedPortInfo](q, uint32(q.portnum), "Mellanox ext port info query failed")
	if err != nil {
		return err
	}
	return q.dump("MLNX ext Port info: "+q.portText(), &info)
}
