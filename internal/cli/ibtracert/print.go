package ibtracert

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/madrpc/trace"
)

// way prints a way as it is followed.
func (s *settings) way() trace.Way {
	if s.JSON {
		return s.noteWay()
	}
	if !s.brief {
		return trace.Way{
			From: func(p *trace.Stop) { s.fullEnd("From", p) },
			Hop:  s.fullHop,
			To:   func(p *trace.Stop) { s.fullEnd("To", p) },
		}
	}
	return trace.Way{
		From: func(p *trace.Stop) { s.briefEnd("From", p) },
		Hop: func(out uint8, p *trace.Stop) {
			fmt.Fprintf(s.out, "[%d] -> {0x%016x}[%d]\n", out, uint64(p.Node.PortGUID), p.Num)
		},
		To: func(p *trace.Stop) { s.briefEnd("To", p) },
	}
}

func (s *settings) briefEnd(prompt string, p *trace.Stop) {
	fmt.Fprintf(s.out, "%s {0x%016x}[%d]\n", prompt, uint64(p.Node.NodeGUID), endPort(p))
}

func (s *settings) fullEnd(prompt string, p *trace.Stop) {
	fmt.Fprintf(s.out, "%s %s {0x%016x} portnum %d lid %s \"%s\"\n",
		prompt, kind(p), uint64(p.Node.NodeGUID), endPort(p), lids(p), s.name(p))
}

func (s *settings) fullHop(out uint8, p *trace.Stop) {
	fmt.Fprintf(s.out, "[%d] -> %s port {0x%016x}[%d] lid %s \"%s\"\n",
		out, kind(p), uint64(p.Node.PortGUID), p.Num, lids(p), s.name(p))
}

// endPort is the port of an end: a switch is its port 0.
func endPort(p *trace.Stop) uint8 {
	if p.IsSwitch() {
		return 0
	}
	return p.Num
}

// multicastWay prints the way of a multicast packet.
func (s *settings) multicastWay(stops []trace.MulticastStop) {
	for i := range stops {
		p := &stops[i]
		if i == 0 {
			s.multicastEnd("From", p)
		} else if s.brief {
			fmt.Fprintf(s.out, "[%d] -> %s {0x%016x}[%d]\n", p.Out, kind(&p.Stop), uint64(p.Node.NodeGUID), p.In)
		} else {
			fmt.Fprintf(s.out, "[%d] -> %s 0x%x[%d] lid %d \"%s\"\n",
				p.Out, kind(&p.Stop), uint64(p.Node.NodeGUID), p.In, p.Port.LID, s.name(&p.Stop))
		}
		if i == len(stops)-1 {
			s.multicastEnd("To", p)
		}
	}
}

func (s *settings) multicastEnd(prompt string, p *trace.MulticastStop) {
	fmt.Fprintf(s.out, "%s %s 0x%x port %d lid %s \"%s\"\n",
		prompt, kind(&p.Stop), uint64(p.Node.NodeGUID), p.Num, lids(&p.Stop), s.name(&p.Stop))
}

// lids is the range of LIDs of a port.
func lids(p *trace.Stop) string {
	return fmt.Sprintf("%d-%d", p.Port.LID, int(p.Port.LID)+1<<p.Port.LMC-1)
}

func (s *settings) name(p *trace.Stop) string {
	return diags.NodeName(s.namer, p.Node.NodeGUID, p.Description.String())
}

func kind(p *trace.Stop) string {
	switch p.Node.NodeType {
	case ib.NodeCA:
		return "ca"
	case ib.NodeSwitch:
		return "switch"
	case ib.NodeRouter:
		return "router"
	case 4:
		return "iwarp rnic"
	}
	return "???"
}
