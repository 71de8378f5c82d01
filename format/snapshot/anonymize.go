package snapshot

import (
	"regexp"
	"slices"
	"sync"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/anonymize"
	"github.com/ibscope/ibscope/mad/smp"
)

// counterName is what counters are called; a name of another form is not one.
var counterName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_]{0,40}$`) })

// Anonymize gives a snapshot without what identifies the owner of the fabric; see
// package anonymize. Members that this package does not know are left out.
func (s *Snapshot) Anonymize(seed []byte, o *anonymize.Options) *Snapshot {
	m := anonymize.New(seed, o, s.Fabric, s.Manager)
	out := &Snapshot{Taken: s.Taken, Fabric: m.Fabric(s.Fabric)}
	if s.Manager != nil {
		out.Manager = m.Fabric(s.Manager)
	}
	nodes := slices.Collect(out.Fabric.Nodes())
	if s.Multicast != nil {
		out.Multicast = map[*fabric.Node][]MulticastBlock{}
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
	out.Counters = make([]PortCounters, 0, len(s.Counters))
	for _, c := range s.Counters {
		c.Node, c.extra = nodes[c.Node.Index()], nil
		if slices.ContainsFunc(slices.Concat(c.Names, c.Saturated), isNoCounter) {
			continue
		}
		out.Counters = append(out.Counters, c)
	}
	return out
}

func isNoCounter(name string) bool { return !counterName().MatchString(name) }
