package ibroute

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/forwarding"
)

// dumpUnicast prints the linear forwarding table of a switch.
func (s *settings) dumpUnicast(ctx context.Context, client *madrpc.Client, sw *device, owners owners) {
	first, last := int(int32(s.first)), int(int32(s.last))
	if top := int(sw.info.LinearFDBTop); last == 0 || last > top {
		last = top
	}
	if last > int(ib.MaxUnicastLID) {
		diags.IBWarn(s.env, "dump_unicast_tables", "illegal lft top %d, truncate to %d", last, ib.MaxUnicastLID)
		last = int(ib.MaxUnicastLID)
	}
	fmt.Fprintf(s.out, "Unicast lids [0x%x-0x%x] of switch %s guid 0x%016x (%s):\n  Lid  Out   Destination\n       Port     Info \n",
		uint32(first), uint32(last), sw.id, uint64(sw.guid), sw.name)
	s.note(sw, first, last)
	w := infoWriter{owners: owners, brief: s.brief}
	lines := 0
	for lid, block := range s.unicastBlocks(ctx, client, sw, first, last) {
		if block.Err != nil {
			s.incomplete = true
			s.RPCWarnOf(block.Err, sw.text)
			s.Problem(block.Err)
			if !sw.unread(uint32(lid)/smp.LIDsPerBlock, block.Err) {
				return
			}
			continue
		}
		lines += s.unicastLines(&w, sw, int(lid), &block.Table, first, last)
	}
	s.count(lines, "lids")
}

// unicastBlocks reads the blocks from that of first to that of last. A table
// whose top is 0 has none: nobody has written it.
func (s *settings) unicastBlocks(ctx context.Context, client *madrpc.Client, sw *device, first, last int) func(func(ib.LID, forwarding.Block) bool) {
	if last <= 0 || first > last {
		return func(func(ib.LID, forwarding.Block) bool) {}
	}
	return forwarding.Unicast(ctx, client, sw.to, ib.LID(max(first, 0)), ib.LID(last))
}

// unicastLines prints the entries of a block that count, and gives their number.
func (s *settings) unicastLines(w *infoWriter, sw *device, start int, table *smp.LinearForwardingTable, first, last int) (lines int) {
	var lids []int
	for i, port := range table.Ports {
		if lid := start + i; lid >= first && lid <= last && (s.all || port <= sw.ports) {
			lids = append(lids, lid)
			w.expect(lid, port <= sw.ports)
		}
	}
	for _, lid := range lids {
		port := table.Ports[lid-start]
		fmt.Fprintf(s.out, "0x%04x %03d %s\n", lid, port, w.info(lid, port <= sw.ports))
		s.noteUnicast(lid, port, sw, w.found)
	}
	return len(lids)
}

func (s *settings) count(lines int, what string) {
	valid := "valid "
	if s.all {
		valid = ""
	}
	fmt.Fprintf(s.out, "%d %s%s dumped \n", lines, valid, what)
}
