package verify

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Device IDs of switch chips whose cages may hold two ports.
const (
	quantum  = 0xd2f0 // one port of a cage, or two where ports are split
	quantum2 = 0xd2f2
	quantum3 = 0xd2f4
)

// wholeQuantum is the number of ports of a Quantum switch that splits none: 40, and
// one inside for its aggregation node.
const wholeQuantum = 41

// perCage is the number of ports in a cage of a switch; 0 where the number of the
// port is all that is known, which is what is printed on most other boxes.
func perCage(n *fabric.Node) int {
	if n.Type() != ib.NodeSwitch {
		return 0
	}
	switch id := n.Info().DeviceID; {
	case id == quantum2, id == quantum3:
		return 2
	case id == quantum && n.NumPorts() > wholeQuantum:
		return 2
	}
	return 0
}

// Cage is what is printed beside the socket of a port, "" where that is the number
// of the port, or not known: "9/1" of switches with two ports in a cage, "line 3
// port 7" of a chassis.
func Cage(n *fabric.Node, port int) string {
	if p := n.Port(port); p != nil && p.ExternalNum() != 0 && n.Slot().Number != 0 {
		return fmt.Sprintf("%s %d port %d", strings.ToLower(n.Slot().Kind.String()), n.Slot().Number, p.ExternalNum())
	}
	if per := perCage(n); per > 0 && port > 0 {
		return fmt.Sprintf("%d/%d", (port-1)/per+1, (port-1)%per+1)
	}
	return ""
}

// portAt is the port behind a cage's label, 0 for none.
func portAt(n *fabric.Node, cage string) int {
	words := strings.Split(cage, "/")
	if len(words) == 3 { // "1/9/1": the first is the module, always 1 on a box
		words = words[1:]
	}
	numbers := make([]int, len(words))
	for i, w := range words {
		v, err := strconv.Atoi(w)
		if err != nil || v < 1 || v > 255 {
			return 0
		}
		numbers[i] = v
	}
	per := max(perCage(n), 1)
	switch {
	case len(numbers) == 1:
		return numbers[0]
	case len(numbers) == 2 && numbers[1] <= per:
		return (numbers[0]-1)*per + numbers[1]
	}
	return 0
}
