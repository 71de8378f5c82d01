package ibnetdiscover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// widthName is the active width, "??" when it is not one known width.
func widthName(w ib.LinkWidth) string {
	if w.Lanes() == 0 {
		return "??"
	}
	return w.String()
}

// speedName is the speed in use, "???" when it is not one known speed.
func speedName(s ib.LinkSpeed) string {
	if s.Rank() == 0 {
		return "???"
	}
	return s.String()
}

// knowsSpeed reports whether the speed of a port can be told: that of a switch
// port needs the capability mask in the PortInfo of port 0.
func knowsSpeed(p *fabric.Port) bool {
	return p.Node().Type() != ib.NodeSwitch || p.Node().Port(0) != nil
}

// lid is the LID to print for a port: for a switch that of its port 0.
func lid(p *fabric.Port) int {
	if p.Node().Type() == ib.NodeSwitch {
		return switchLID(p.Node())
	}
	return int(p.LID())
}

func switchLID(n *fabric.Node) int {
	if zero := n.Port(0); zero != nil {
		return int(zero.LID())
	}
	return 0
}
