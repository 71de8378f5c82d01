package subnetlst

import (
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Fields that a list tells.
var (
	nodeType    = facts.NodeField("NodeType")
	numPorts    = facts.NodeField("NumPorts")
	systemGUID  = facts.NodeField("SystemImageGUID")
	portGUID    = facts.NodeField("PortGUID")
	vendorID    = facts.NodeField("VendorID")
	deviceID    = facts.NodeField("DeviceID")
	revisionNum = facts.NodeField("Revision")
)

// tell tells of the node and the LID of one side. OpenSM writes the device ID of
// the far side in the wrong half of 32 bits, or as 0, and its revision as 0.
func (s *side) tell(f *facts.File, line int) {
	var node facts.Fact
	node.Set(nodeType, uint64(s.typ))
	node.Set(numPorts, s.ports)
	node.Set(systemGUID, uint64(s.system))
	node.Set(vendorID, s.vendor)
	if s.device > 0xffff {
		s.device >>= 16
	}
	if s.device != 0 {
		node.Set(deviceID, s.device)
	}
	if s.revision != 0 {
		node.Set(revisionNum, s.revision)
	}
	num := s.num
	if s.typ == ib.NodeSwitch {
		node.Set(portGUID, uint64(s.port))
		num = 0
	} else {
		f.PortGUID(line, s.node, s.num, s.port)
	}
	f.Node(line, s.node, &node)
	f.Describe(line, s.node, s.desc)
	var port facts.Fact
	port.LID(s.lid)
	f.Port(line, s.node, num, &port)
}

// state is what a link runs at.
type state struct {
	fact  facts.Fact
	fdr10 bool
}

// readState reads "PHY=4x LOG=ACT SPD=100"; there is no SPD= in old lists, and
// question marks stand for what the writer has no name for.
func readState(f *facts.File, line int, c lines.Cursor) state {
	var s state
	var width ib.LinkWidth
	var speed ib.LinkSpeed
	for {
		c.Blanks()
		if len(c) == 0 {
			break
		}
		word := c.Word()
		key, value := split(word)
		var ok bool
		switch key {
		case "PHY":
			width, ok = facts.Width(value)
		case "LOG":
			var logical ib.PortState
			logical, ok = facts.State(value)
			s.fact.States(logical, ib.PhysLinkUp)
		case "SPD":
			if value == "??" {
				continue
			}
			speed, ok = facts.Speed(value)
		}
		if !ok {
			f.Bad(line, "expected PHY=, LOG= or SPD= and a value, got %s", lines.Excerpt(word))
		}
	}
	s.fdr10 = speed == ib.SpeedFDR10
	s.fact.Link(width, speed)
	return s
}

func split(word []byte) (key, value string) {
	for i, b := range word {
		if b == '=' {
			return string(word[:i]), string(word[i+1:])
		}
	}
	return string(word), ""
}

func (l *state) tell(f *facts.File, line int, s *side) {
	f.Port(line, s.node, s.num, &l.fact)
	if l.fdr10 {
		f.FDR10(line, s.node, s.num)
	}
}
