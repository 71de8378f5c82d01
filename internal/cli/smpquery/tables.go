package smpquery

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/smp"
)

// pkeyTable prints eight keys a line. The last line may go beyond the capacity
// by as many as are missing to eight, as in C.
func pkeyTable(q *query) error {
	node, err := get[smp.NodeInfo](q, 0, "node info query failed")
	if err != nil {
		return err
	}
	if int(q.portnum) > int(node.NumPorts) {
		return &failure{what: "invalid port number"}
	}
	capacity := int(node.PartitionCap)
	if node.NodeType == ib.NodeSwitch && q.portnum != 0 {
		info, err := get[smp.SwitchInfo](q, 0, "switch info failed")
		if err != nil {
			return err
		}
		capacity = int(info.PartitionEnforceCap)
	}
	q.capacity = &capacity
	for first := 0; first < capacity; first += smp.PKeysPerBlock {
		modifier := uint32(first/smp.PKeysPerBlock) | uint32(q.portnum)<<16
		table, err := get[smp.PKeyTable](q, modifier, "pkey table query failed")
		if err != nil {
			return err
		}
		for i := 0; i < smp.PKeysPerBlock && first+i < capacity; i += 8 {
			fmt.Fprintf(q.out, "%4d:", first+i)
			for _, key := range table.Keys[i : i+8] {
				fmt.Fprintf(q.out, " 0x%04x", uint16(key))
			}
			fmt.Fprintln(q.out)
		}
	}
	_, err = fmt.Fprintf(q.out, "%d pkeys capacity for this port\n", capacity)
	return err
}

// guidInfo prints two GUIDs a line.
func guidInfo(q *query) error {
	port, err := get[smp.PortInfo](q, 0, "port info failed")
	if err != nil {
		return err
	}
	capacity := int(port.GUIDCap)
	q.capacity = &capacity
	for first := 0; first < capacity; first += smp.GUIDsPerBlock {
		table, err := get[smp.GUIDInfo](q, uint32(first/smp.GUIDsPerBlock), "guid info query failed")
		if err != nil {
			return err
		}
		for i := 0; i < smp.GUIDsPerBlock && first+i < capacity; i += 2 {
			fmt.Fprintf(q.out, "%4d: 0x%016x 0x%016x\n", first+i, uint64(table.GUIDs[i]), uint64(table.GUIDs[i+1]))
		}
	}
	_, err = fmt.Fprintf(q.out, "%d guids capacity for this port\n", capacity)
	return err
}

// slToVLTable prints the table of a CA, or those from each port of a switch to
// the port that is asked for.
func slToVLTable(q *query) error {
	node, err := get[smp.NodeInfo](q, 0, "node info query failed")
	if err != nil {
		return err
	}
	if int(q.portnum) > int(node.NumPorts) {
		return &failure{what: "invalid port number"}
	}
	fmt.Fprintf(q.out, "# SL2VL table: %s\n#                 SL: |", diags.PortID(q.to))
	for sl := range 16 {
		fmt.Fprintf(q.out, "%2d|", sl)
	}
	fmt.Fprintln(q.out)
	if node.NodeType != ib.NodeSwitch {
		return slToVLLine(q, 0, 0)
	}
	for in := range int(node.NumPorts) + 1 {
		if err := slToVLLine(q, in, q.portnum); err != nil {
			return err
		}
	}
	return nil
}

func slToVLLine(q *query, in int, out int32) error {
	table, err := get[smp.SLtoVLMappingTable](q, uint32(in)<<8|uint32(out), "slvl query failed")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(q.out, "ports: in %2d, out %2d: %s", in, out, table.AppendDump(nil))
	return err
}

// vlArbitration prints both tables of a port. Number 0 is a switch's own port,
// or the port that the request arrives at.
func vlArbitration(q *query) error {
	if q.portnum == 0 {
		node, err := get[smp.NodeInfo](q, 0, "node info query failed")
		if err != nil {
			return err
		}
		if node.NodeType == ib.NodeSwitch {
			info, err := get[smp.SwitchInfo](q, 0, "switch info query failed")
			if err != nil {
				return err
			}
			if !info.EnhancedPort0 {
				_, err = fmt.Fprintf(q.out, "# No VLArbitration tables (BSP0): %s\n", q.portText())
				return err
			}
		}
	}
	port, err := get[smp.PortInfo](q, uint32(q.portnum), "port info query failed")
	if err != nil {
		return err
	}
	low, high := int(port.VLArbLowCap), int(port.VLArbHighCap)
	fmt.Fprintf(q.out, "# VLArbitration tables: %s LowCap %d HighCap %d\n", q.portText(), low, high)
	if err := vlArbTable(q, "Low", smp.VLArbLowFirst, low); err != nil {
		return err
	}
	return vlArbTable(q, "High", smp.VLArbHighFirst, high)
}

// vlArbTable prints one of the tables, of which each section has an attribute.
func vlArbTable(q *query, name string, first smp.VLArbSection, capacity int) error {
	if capacity == 0 {
		return nil
	}
	fmt.Fprintf(q.out, "# %s priority VL Arbitration Table:", name)
	for section, rest := first, capacity; rest > 0 && section < first+2; section++ {
		modifier := uint32(section)<<16 | uint32(q.portnum)
		table, err := get[smp.VLArbitrationTable](q, modifier, "vl arb query failed")
		if err != nil {
			return err
		}
		if _, err := q.out.Write(table.AppendEntries(nil, rest)); err != nil {
			return err
		}
		rest -= smp.VLArbPerBlock
	}
	return nil
}
