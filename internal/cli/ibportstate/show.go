package ibportstate

import (
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/portcontrol"
)

const active = ib.PortActive

// The fields of PortInfo that are shown: always, of ports with extended speeds,
// and of those that subnet management owns.
var (
	linkFields = []string{
		"LinkState", "PhysLinkState", "Lid", "SMLid", "LMC", "LinkWidthSupported", "LinkWidthEnabled", "LinkWidthActive",
		"LinkSpeedSupported", "LinkSpeedEnabled", "LinkSpeedActive",
	}
	extendedFields = []string{"LinkSpeedExtSupported", "LinkSpeedExtEnabled", "LinkSpeedExtActive"}
	ownerFields    = []string{"Mkey", "MkeyLeasePeriod", "ProtectBits"}
)

// hidden is the line that stands in the place of the M_Key without -K.
const hidden = "Mkey:............................<not displayed>\n"

func (s *session) printf(format string, args ...any) { fmt.Fprintf(s.out, format, args...) }

// heading says what follows, in a line.
func (s *session) heading(p *portcontrol.Port) string {
	kind := "CA/RT"
	if p.IsSwitch() {
		kind = "Switch"
	}
	if s.changes() {
		kind = "Initial " + kind
	}
	return kind + " PortInfo:\n"
}

func portText(p *portcontrol.Port) string {
	return fmt.Sprintf("%s port %d", diags.PortID(p.Target), p.Num)
}

// showPort prints PortInfo.
func (s *session) showPort(p *portcontrol.Port) {
	data, err := p.Info.AppendBinary(nil)
	if err != nil {
		return // cannot be: it was decoded from as many bytes
	}
	text := fmt.Appendf(nil, "# Port info: %s\n", portText(p))
	names := linkFields
	if p.HasExtendedSpeeds() {
		names = append(names[:len(names):len(names)], extendedFields...)
	}
	if p.HasOwner() {
		names = append(names[:len(names):len(names)], ownerFields...)
	}
	table := p.Info.Fields()
	for _, name := range names {
		f, ok := table.ByC(name)
		switch {
		case !ok:
		case name == "Mkey" && !s.ShowKeys:
			text = append(text, hidden...)
		default:
			text = f.AppendLine(text, data)
		}
	}
	s.out.Write(text) //nolint:errcheck // Flush tells
}

// showExtended prints Mellanox ExtendedPortInfo, if there is one.
func (s *session) showExtended(p *portcontrol.Port) {
	if p.Extended != nil {
		s.printf("# MLNX ext Port info: %s\n%s", portText(p), p.Extended.AppendDump(nil))
	}
}

// readFailed prints what was read of a port before a request failed, below its
// heading, and gives the error in C's words.
func (s *session) readFailed(p *portcontrol.Port, heading string, err error) error {
	var request *madrpc.Error
	if !errors.As(err, &request) || request.Attr == smp.AttrNodeInfo {
		return s.failed("smp query nodeinfo failed", err)
	}
	s.printf("%s", heading)
	switch {
	case request.Attr == smp.AttrExtendedPortInfo:
		return s.failed("smp query ext portinfo failed", err)
	case p.IsSwitch() && request.Modifier == 0:
		return s.failed("smp query port 0 portinfo failed", err)
	}
	return s.failed("smp query portinfo failed", err)
}
