package model

import "fmt"

// Device IDs of the switch chips whose ports are labelled otherwise than by
// their numbers.
const (
	quantum  = 0xd2f0
	quantum2 = 0xd2f2
)

// The number of ports of a switch with split ports, that of its aggregation
// node included.
const (
	quantumSplit  = 2*40 + 1
	quantum2Split = 2*64 + 1
)

// PortLabel is what stands beside a port on the front panel of a switch with
// that many ports, in the form of NVIDIA's tools: "1/9/2" for ASIC, cage and port
// of a cage of Quantum-2 boxes, with the half of a split port after it,
// "1/9/2/1"; "17/2" for port and half of a split Quantum box. It is the plain
// number where nothing else is known, and for the port of the aggregation node.
//
// whole says that a port of a switch with split ports is not split, as those that
// run at four lanes are.
func PortLabel(vendor uint32, device uint16, ports, num int, whole bool) string {
	plain := fmt.Sprint(num)
	if vendor != mellanox || num < 1 || num >= ports {
		return plain
	}
	switch {
	case device == quantum && ports == quantumSplit:
		port, half := halves(num)
		return splitLabel(fmt.Sprint(port), half, whole)
	case device == quantum2 && ports == quantum2Split:
		port, half := halves(num)
		return splitLabel(cageLabel(port), half, whole)
	case device == quantum2:
		return cageLabel(num)
	}
	return plain
}

// halves is which port of the box a split port is half of, and which half.
func halves(num int) (port, half int) { return (num + 1) / 2, (num+1)%2 + 1 }

// cageLabel is the label of a port of a Quantum-2 box, which has one ASIC and two
// ports in each cage.
func cageLabel(port int) string { return fmt.Sprintf("1/%d/%d", (port+1)/2, (port+1)%2+1) }

func splitLabel(port string, half int, whole bool) string {
	if whole {
		return port
	}
	return fmt.Sprintf("%s/%d", port, half)
}
