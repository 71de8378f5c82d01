package verify

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/ib"
)

// Cage is what is printed beside the socket of a port, "" where that is the number
// of the port, or not known: "1/9/1" of switches with two ports in a cage, as
// model.PortLabel has it, "line 3 port 7" of a chassis.
func Cage(n *fabric.Node, port int) string {
	if p := n.Port(port); p != nil && p.ExternalNum() != 0 && n.Slot().Number != 0 {
		return fmt.Sprintf("%s %d port %d", strings.ToLower(n.Slot().Kind.String()), n.Slot().Number, p.ExternalNum())
	}
	if label := socketLabel(n, port); label != strconv.Itoa(port) {
		return label
	}
	return ""
}

func socketLabel(n *fabric.Node, port int) string {
	if n.Type() != ib.NodeSwitch {
		return strconv.Itoa(port)
	}
	whole := false
	if p := n.Port(port); p != nil {
		whole = p.Active().Width.Lanes() >= 4
	}
	info := n.Info()
	return model.PortLabel(info.VendorID, info.DeviceID, n.NumPorts(), port, whole)
}

// portAt is the port with a cage's label, 0 for none. The number of the ASIC in
// front, which is 1 on all boxes, may be left out.
func portAt(n *fabric.Node, cage string) int {
	for port := 1; port <= n.NumPorts(); port++ {
		label := socketLabel(n, port)
		if cage == label || "1/"+cage == label || cage == "1/"+label {
			return port
		}
	}
	return 0
}
