package health

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric/identifiers"
	"github.com/ibscope/ibscope/ib"
)

// identifiers tells of LIDs and GUIDs that two have, and of those that are missing.
func (x *examiner) identifiers() (looked int, skipped string) {
	for _, found := range identifiers.Verify(x.f.Nodes()) {
		if x.isAsItShouldBe(&found) {
			continue
		}
		f := Finding{Severity: Critical, At: At(found.Port), To: At(found.Other), Evidence: []string{found.String()}}
		switch found.Kind {
		case identifiers.ZeroGUID:
			f.Kind, f.Severity = ZeroGUID, Error
			f.Text = x.place(f.At) + " has no node GUID"
			f.Remedy = []string{"Its firmware or its GUID settings are damaged: burn them again."}
		case identifiers.DuplicateLID:
			f.Kind = DuplicateLID
			f.Text = fmt.Sprintf("LID %d is that of %s and of %s", found.LID, x.place(f.At), x.place(f.To))
			f.Remedy = []string{
				"Look for two subnet managers, or two subnets that were joined by a cable.",
				"Let the subnet manager give all LIDs anew: restart it without its guid2lid file.",
			}
		default:
			f.Kind = DuplicateGUID
			f.Text = fmt.Sprintf("GUID %s is that of %s and of %s", found.GUID, x.place(f.At), x.place(f.To))
			f.Remedy = []string{"Burn the GUIDs of one of the two anew, by the label on its card."}
		}
		x.add(f)
	}
	x.noLIDs()
	return x.f.NumNodes(), ""
}

// isAsItShouldBe reports whether a finding is none here. Of ports without a LID see
// noLIDs; a LID may be used in each subnet, and the ports of one adapter that are in
// separate planes have one LID and one GUID.
func (x *examiner) isAsItShouldBe(f *identifiers.Finding) bool {
	switch f.Kind {
	case identifiers.ZeroLID:
		return true
	case identifiers.DuplicateLID:
		if x.subnets.port(f.Port) != x.subnets.port(f.Other) {
			return true
		}
	case identifiers.DuplicatePort:
	default:
		return false
	}
	return f.Port.Node() == f.Other.Node() && x.Topology.Planes > 1
}

// noLIDs tells of nodes with an active link and without a LID, if any has one: else
// they are not known.
func (x *examiner) noLIDs() {
	known := false
	for p := range x.f.Ports() {
		known = known || p.LID() != 0
	}
	if !known {
		return
	}
	for p := range x.f.Ports() {
		isSwitch := p.Node().Type() == ib.NodeSwitch
		if _, known := p.Info(); !known || p.LID() != 0 || isSwitch != (p.Num() == 0) {
			continue
		}
		if isSwitch {
			if !hasActive(p.Node().Ports()) {
				continue
			}
		} else if p.State() != ib.PortActive {
			continue
		}
		x.add(Finding{
			Kind: NoLID, Severity: Critical, At: At(p),
			Text:   x.place(At(p)) + " has no LID, although its link is active",
			Remedy: []string{"Look at the log of the subnet manager; taking the link down and up lets it look again."},
		})
	}
}
