package ibroute

import (
	"context"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/forwarding"
)

// dumpMulticast prints the multicast forwarding table of a switch.
func (s *settings) dumpMulticast(ctx context.Context, client *madrpc.Client, sw *device) {
	first, last := s.multicastRange(sw)
	fmt.Fprintf(s.out, "Multicast mlids [0x%x-0x%x] of switch %s guid 0x%016x (%s):\n", first, last, sw.id, uint64(sw.guid), sw.name)
	s.note(sw, int(first), int(last))
	s.multicastHeading(int(sw.ports))
	if s.Verbose > 0 {
		fmt.Fprintf(s.out, "Switch multicast mlid capability is %d top is 0x%x\n", sw.info.MulticastFDBCap, sw.info.MulticastFDBTop)
	}
	lines := 0
	if first <= last {
		for lid, block := range forwarding.Multicast(ctx, client, sw.to, sw.ports, ib.LID(first), ib.LID(last)) {
			if !s.unreadParts(sw, lid, block) {
				return
			}
			for i := range smp.MLIDsPerBlock {
				mlid := uint32(lid) + uint32(i)
				if mlid < first || mlid > last || !s.all && empty(&block, i) {
					continue
				}
				fmt.Fprintf(s.out, "0x%04x      %s\n", mlid, s.members(&block, i, int(sw.ports)))
				s.noteMulticast(mlid, &block, i, int(sw.ports))
				lines++
			}
		}
	}
	s.count(lines, "mlids")
}

// multicastRange is what of the typed range the switch has, with C's warnings.
func (s *settings) multicastRange(sw *device) (first, last uint32) {
	const function = "dump_multicast_tables"
	lowest, highest := uint32(ib.MinMulticastLID), uint32(ib.PermissiveLID)-1
	first, last = s.first, s.last
	if end := lowest + uint32(sw.info.MulticastFDBCap) - 1; last == 0 || last > end {
		last = end
	}
	if top := uint32(sw.info.MulticastFDBTop); !s.all && top != 0 && top < last {
		if top < lowest-1 {
			diags.IBWarn(s.env, function, "illegal top mlid %x", top)
		} else {
			last = top
		}
	}
	if first == 0 {
		first = lowest
	} else if first < lowest {
		diags.IBWarn(s.env, function, "illegal start mlid %x, set to %x", first, lowest)
		first = lowest
	}
	if last > highest {
		diags.IBWarn(s.env, function, "illegal end mlid %x, truncate to %x", last, highest)
		last = highest
	}
	return first, last
}

// multicastHeading prints the port numbers above the columns: the tens in a line
// of their own.
func (s *settings) multicastHeading(ports int) {
	if s.brief {
		fmt.Fprint(s.out, " MLid       Port Mask\n")
		return
	}
	var tens, ones strings.Builder
	for i := range ports + 1 {
		digit := byte(' ')
		if i%10 == 0 {
			digit = byte('0' + i/10)
		}
		tens.Write([]byte{digit, ' '})
		fmt.Fprintf(&ones, "%d ", i%10)
	}
	if ports > 9 {
		fmt.Fprintf(s.out, "            %s\n", tens.String())
	}
	fmt.Fprintf(s.out, "     Ports: %s\n MLid\n", ones.String())
}

// unreadParts tells of the parts of a block that could not be read, and whether
// the dump goes on.
func (s *settings) unreadParts(sw *device, lid ib.LID, block forwarding.MulticastBlock) bool {
	number, _, _ := smp.MFTBlock(lid)
	for i := range block.Parts {
		err := block.Parts[i].Err
		if err == nil {
			continue
		}
		s.incomplete = true
		s.RPCWarnOf(err, sw.text)
		s.Problem(err)
		if !sw.unread(smp.MFTModifier(uint8(i), number), err) {
			return false
		}
	}
	return true
}

func empty(b *forwarding.MulticastBlock, index int) bool {
	for i := range b.Parts {
		if b.Mask(i, index) != 0 {
			return false
		}
	}
	return true
}

// members are the ports of a multicast LID: a column each, or with -n as masks.
func (s *settings) members(b *forwarding.MulticastBlock, index, ports int) string {
	var text strings.Builder
	if s.brief {
		for i := range b.Parts {
			fmt.Fprintf(&text, "%04x", b.Mask(i, index))
		}
		return text.String()
	}
	for port := range ports + 1 {
		if b.Has(index, uint8(port)) {
			text.WriteString("x ")
		} else {
			text.WriteString("  ")
		}
	}
	return text.String()
}
