package ibportstate

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/madrpc/portcontrol"
	"github.com/ibscope/ibscope/madrpc/resolve"
)

// showPeer shows the other end of the link, and in what the link falls short.
func (s *session) showPeer(ctx context.Context, p *portcontrol.Port) error {
	const heading = "Peer PortInfo:\n"
	q, err := p.Peer(ctx, s.client, s.options())
	var unresolved *resolve.Error
	switch {
	case errors.Is(err, portcontrol.ErrTooFar):
		return fatal("Too many hops")
	case errors.As(err, &unresolved):
		return s.failed("could not resolve self", err)
	case err != nil:
		return s.readFailed(q, heading, err)
	}
	s.doc.Peer = s.side(q)
	s.printf("%s", heading)
	s.showPort(q)
	s.showExtended(q)
	s.doc.Shortfalls = []shortfall{}
	for _, f := range portcontrol.Shortfalls(p, q) {
		s.warn(f)
	}
	return nil
}

// Names of codes in the warnings, by the code.
var (
	widthNames    = [256]string{8: "12x", 4: "8x", 2: "4x", 16: "2x", 1: "1x"}
	speedNames    = [256]string{4: "10.0 Gbps", 2: "5.0 Gbps", 1: "2.5 Gbps"}
	extendedNames = [256]string{8: "106.25 Gbps", 4: "53.125 Gbps", 2: "25.78125 Gbps", 1: "14.0625 Gbps"}
)

func (s *session) warn(f portcontrol.Shortfall) {
	say := func(function, what, name string) {
		diags.IBWarn(s.env, function, "Peer ports operating at active %s %d rather than %d (%s)", what, f.Active, f.Possible, name)
		s.doc.Shortfalls = append(s.doc.Shortfalls, shortfall{Measure: what, Active: f.Active, Possible: f.Possible, Name: name})
	}
	switch f.Measure {
	case portcontrol.Width:
		say("validate_width", "width", widthNames[f.Possible])
	case portcontrol.Speed:
		say("validate_speed", "speed", speedNames[f.Possible])
	case portcontrol.ExtendedSpeed:
		say("validate_extended_speed", "extended speed", extendedNames[f.Possible])
	case portcontrol.FDR10:
		diags.IBWarn(s.env, "main", "Peer ports operating at active speed %d rather than FDR10", f.Active)
		s.doc.Shortfalls = append(s.doc.Shortfalls, shortfall{Measure: "FDR10", Active: f.Active, Possible: f.Possible, Name: "FDR10"})
	}
}
