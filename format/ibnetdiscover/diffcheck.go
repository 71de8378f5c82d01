package ibnetdiscover

import (
	"fmt"
	"strings"
)

// Checks is a set of things that Diff compares.
type Checks uint8

// What Diff can compare. The first three choose the types of nodes, the others
// what is compared of nodes that both fabrics have.
const (
	CheckSwitches     Checks = 1 << iota // key "sw"
	CheckCAs                             // key "ca"
	CheckRouters                         // key "router"
	CheckPorts                           // key "port": what each port is connected to
	CheckLIDs                            // key "lid"
	CheckDescriptions                    // key "nodedesc"
)

// DefaultChecks are what is compared when nothing is chosen.
const DefaultChecks = CheckSwitches | CheckCAs | CheckRouters | CheckPorts

// ParseChecks reads a list of keys, "sw,ca,port"; case does not matter and empty
// elements are skipped. Its error is a *KeyError.
func ParseChecks(list string) (Checks, error) {
	var c Checks
	for key := range strings.SplitSeq(list, ",") {
		switch strings.ToLower(key) {
		case "":
		case "sw":
			c |= CheckSwitches
		case "ca":
			c |= CheckCAs
		case "router":
			c |= CheckRouters
		case "port":
			c |= CheckPorts
		case "lid":
			c |= CheckLIDs
		case "nodedesc":
			c |= CheckDescriptions
		default:
			return 0, &KeyError{Key: key}
		}
	}
	return c, nil
}

// KeyError says which key of a list of checks is not known.
type KeyError struct{ Key string }

func (e *KeyError) Error() string {
	return fmt.Sprintf("ibnetdiscover: %q is not a diff check; there are sw, ca, router, port, lid and nodedesc", e.Key)
}
