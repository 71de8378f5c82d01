package format

import (
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/anonymize"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/mad/smp"
)

// anonymizeSnapshot gives a snapshot without what identifies the owner of the fabric; see
// package anonymize. Members that package snapshot does not know are left out. It is not
// there because whoever has a snapshot would have the expressions of names then.
func anonymizeSnapshot(s *snapshot.Snapshot, seed []byte, o *anonymize.Options) *snapshot.Snapshot {
	m := anonymize.New(seed, o, s.Fabric, s.Manager)
	out := &snapshot.Snapshot{Taken: s.Taken, Fabric: m.Fabric(s.Fabric)}
	if s.Manager != nil {
		out.Manager = m.Fabric(s.Manager)
	}
	nodes := slices.Collect(out.Fabric.Nodes())
	if s.Multicast != nil {
		out.Multicast = map[*fabric.Node][]snapshot.MulticastBlock{}
		for n, blocks := range s.Multicast {
			out.Multicast[nodes[n.Index()]] = slices.Clone(blocks)
		}
	}
	if s.SMInfo != nil {
		out.SMInfo = map[*fabric.Port]smp.SMInfo{}
		for p, info := range s.SMInfo {
			info.GUID, info.SMKey = m.GUID(info.GUID), 0
			out.SMInfo[nodes[p.Node().Index()].Port(p.Num())] = info
		}
	}
	for _, p := range s.Problems {
		out.Problems = append(out.Problems, m.Problem(p))
	}
	if s.Counters == nil {
		return out
	}
	out.Counters = make([]snapshot.PortCounters, 0, len(s.Counters))
	for i := range s.Counters {
		c := &s.Counters[i]
		if slices.ContainsFunc(slices.Concat(c.Names, c.Saturated), isNoCounter) {
			continue
		}
		out.Counters = append(out.Counters, snapshot.PortCounters{
			Node: nodes[c.Node.Index()], Port: c.Port,
			HasMasks: c.HasMasks, CapMask: c.CapMask, CapMask2: c.CapMask2,
			Before: c.Before, After: c.After,
			Names: c.Names, Values: c.Values, Saturated: c.Saturated,
		})
	}
	return out
}

// isNoCounter finds names that no counter has: others are small letters, digits and
// lines below, and begin with a letter.
func isNoCounter(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return name == "" || len(name) > 41 || !strings.Contains(letters, name[:1]) || strings.Trim(name, letters+"0123456789_") != ""
}
