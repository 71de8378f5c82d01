package discover

import (
	"cmp"
	"errors"
	"fmt"
	"sort"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// finding is a problem that was met. It is put into words at the end, when the nodes
// have their order and their paths: what a sweep tells must not depend on the order
// in which it learnt it.
type finding struct {
	kind   fabric.ProblemKind
	node   *node // that was asked, or from which a probe went on; nil for the start
	step   step
	err    error
	guid   ib.GUID // of bad replies: of who is told to be there
	detail string  // in place of the step's
	whole  bool    // it concerns the node as a whole
}

// badReply records an arrival that is not believed.
func (s *sweep) badReply(a *arrival, detail string) {
	s.found = append(s.found, finding{
		kind: fabric.BadReply, node: a.near, step: step{probe, a.port}, guid: a.info.NodeGUID, detail: detail,
	})
}

// tooFar records that no way goes on from a port.
func (s *sweep) tooFar(n *node, p *fabric.Port) {
	detail := "leads farther than the 63 hops of a directed route"
	if s.opts.From.LID != 0 && !n.isSwitch() {
		detail = "cannot be left by LID; start the sweep by its directed route"
	}
	s.found = append(s.found, finding{kind: fabric.TooFar, node: n, step: step{probe, uint8(p.Num())}, detail: detail})
}

// findLost turns what stayed lost into findings, one for each port or node.
func (s *sweep) findLost() {
	unasked := map[*node]int{}
	for _, l := range s.lost {
		if errors.Is(l.err, errStoppedAnswering) {
			unasked[l.node]++
			continue
		}
		s.found = append(s.found, finding{kind: fabric.NoReply, node: l.node, step: l.step, err: l.err})
	}
	for n, count := range unasked {
		s.found = append(s.found, finding{
			kind: fabric.NoReply, node: n, err: errStoppedAnswering, whole: true,
			detail: fmt.Sprintf("stopped answering: %d more attributes not asked", count),
		})
	}
}

// findUnfinished lists what a sweep that ended early has not asked.
func (s *sweep) findUnfinished() {
	lost := map[*fabric.Port]bool{}
	for _, l := range s.lost {
		if l.step.isProbe() && l.node != nil {
			lost[l.node.Port(int(l.step.port))] = true
		}
	}
	for t := range s.rereads {
		s.found = append(s.found, finding{kind: fabric.NotFinished, node: t.node, step: t.step, detail: "PortInfo not read again"})
	}
	for _, n := range s.nodes {
		for p := range n.Ports() {
			if n.ports[p.Num()]&flagProbed != 0 && p.Remote() == nil && !lost[p] {
				s.found = append(s.found, finding{kind: fabric.NotFinished, node: n, step: step{probe, uint8(p.Num())}})
			}
		}
		if count := n.left(); count > 0 {
			s.found = append(s.found, finding{
				kind: fabric.NotFinished, node: n, whole: true, detail: fmt.Sprintf("%d attributes not read yet", count),
			})
		}
	}
}

// reportFindings gives the findings to the builder, in the order of the nodes.
func (s *sweep) reportFindings() {
	sort.SliceStable(s.found, func(i, j int) bool {
		a, b := s.found[i], s.found[j]
		return cmp.Or(
			cmp.Compare(a.index(), b.index()), cmp.Compare(a.step.port, b.step.port), cmp.Compare(a.step.kind, b.step.kind),
			cmp.Compare(a.kind, b.kind), cmp.Compare(a.guid, b.guid), cmp.Compare(a.detail, b.detail),
		) < 0
	})
	var last finding
	for _, f := range s.found {
		if f.node != nil && f.node.isGone {
			continue
		}
		if last.kind != f.kind || last.node != f.node || last.step != f.step || last.guid != f.guid || last.detail != f.detail {
			s.builder.AddProblem(s.problem(&f))
		}
		last = f
	}
}

func (f *finding) index() int {
	if f.node == nil {
		return -1
	}
	return f.node.Index()
}

// problem puts a finding into words.
func (s *sweep) problem(f *finding) fabric.Problem {
	p := fabric.Problem{Kind: f.kind, Port: -1, Detail: f.detail, Err: f.err}
	if f.whole {
		p.Target, p.GUID = s.wayTo(f.node), f.node.GUID()
		return p
	}
	p.Attr, p.Modifier = f.step.attribute()
	p.Target = s.target(&task{node: f.node, step: f.step})
	switch {
	case f.kind == fabric.BadReply:
		p.GUID, p.Attr = f.guid, (*smp.NodeInfo)(nil).AttrID()
		return p
	case f.node == nil:
		return p
	case f.kind == fabric.TooFar:
		p.Target, p.Attr = s.wayTo(f.node), 0
	case f.detail == "":
		p.Detail = f.step.unread()
	}
	p.GUID = f.node.GUID()
	if k := f.step.kind; k == probe || k == askPortInfo || k == askExtended || k == rereadPort {
		p.Port = int(f.step.port)
	}
	return p
}

// unread says what is missing without the answer to a step.
func (s step) unread() string {
	switch s.kind {
	case probe:
		return "who is at the other end is not known"
	case askPortInfo:
		return "PortInfo not read"
	case askExtended:
		return "ExtendedPortInfo not read"
	case askDescription:
		return "NodeDescription not read"
	case askSwitchInfo:
		return "SwitchInfo not read"
	}
	return ""
}
