package source

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sm"
)

// partitionForm is what an item of pkeys= looks like.
const partitionForm = "KEY:NODE,NODE=limited, partitions joined by |, as 0x10:node0001,node0002=limited|0x11:all"

// partitions reads pkeys=: partitions joined by |, each a key and its members,
// which are nodes, names of hosts, or all.
func partitions(u *URI, s *sim.Fabric, own url.Values) (list []sm.Partition, err error) {
	text, given := own["pkeys"]
	if !given {
		return nil, nil
	}
	for item := range strings.SplitSeq(text[0], "|") {
		key, members, ok := strings.Cut(item, ":")
		n, err := strconv.ParseUint(key, 0, 16)
		if err != nil || !ok {
			return nil, u.Expected("argument pkeys", item, partitionForm)
		}
		p := sm.Partition{Key: ib.PKey(n) & sm.DefaultPartition}
		for name := range strings.SplitSeq(members, ",") {
			name, membership, isSaid := strings.Cut(name, "=")
			nodes := partitionMembers(s.Model(), name)
			switch {
			case isSaid && membership != "full" && membership != "limited":
				return nil, u.Expected("argument pkeys", membership, "full or limited")
			case len(nodes) == 0:
				return nil, u.Wrap("argument pkeys", &missing{fmt.Sprintf("no node is %q", name)})
			case membership == "limited":
				p.Limited = append(p.Limited, nodes...)
			default:
				p.Full = append(p.Full, nodes...)
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// partitionMembers are the nodes that a name stands for: all, that with a GUID or
// a description, or the adapters of a host.
func partitionMembers(f *fabric.Fabric, name string) (list []*fabric.Node) {
	if name == "" {
		return nil
	}
	for n := range f.Nodes() {
		text := n.Description()
		if name == "all" || text == name || sameGUID(n.GUID(), name) || strings.HasPrefix(text, name+" ") {
			list = append(list, n)
		}
	}
	return list
}
