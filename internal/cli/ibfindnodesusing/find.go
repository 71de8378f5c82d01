package ibfindnodesusing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

func isSwitch(n *fabric.Node) bool { return n.Type() == ib.NodeSwitch }

// findSwitch finds a switch by its node GUID, hexadecimal with or without 0x, or
// else by its description.
func findSwitch(f *fabric.Fabric, name string) (*fabric.Node, error) {
	digits := strings.TrimPrefix(strings.TrimPrefix(name, "0x"), "0X")
	if guid, err := strconv.ParseUint(digits, 16, 64); err == nil {
		if n, ok := f.NodeByGUID(ib.GUID(guid)); ok && isSwitch(n) {
			return n, nil
		}
	}
	var found *fabric.Node
	for sw := range f.Switches() {
		if sw.Description() != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("switches %s and %s are both called %q: name one by its GUID", found.GUID(), sw.GUID(), name)
		}
		found = sw
	}
	if found == nil {
		return nil, fmt.Errorf("no switch has the node GUID or the description %q", name)
	}
	return found, nil
}

// padded is a GUID as C prints it back: lower case, 16 characters.
func padded(name string) string {
	lower := func(r rune) rune {
		if r >= 'A' && r <= 'F' {
			return r + 'a' - 'A'
		}
		return r
	}
	name = strings.Map(lower, strings.TrimPrefix(name, "0x"))
	return strings.Repeat("0", max(16-len(name), 0)) + name
}
