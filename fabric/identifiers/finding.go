package identifiers

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Kind is what is wrong with an identifier; the constants are stable names.
type Kind string

// The kinds of findings.
const (
	ZeroLID          Kind = "zero-lid"
	ZeroGUID         Kind = "zero-guid"           // of a node
	DuplicateLID     Kind = "duplicate-lid"       // Other has the LID too
	DuplicateNode    Kind = "duplicate-node-guid" // Other is another node with the GUID
	DuplicatePort    Kind = "duplicate-port-guid" // Other has the port GUID too
	PortGUIDIsOfNode Kind = "port-guid-is-node-guid"
)

// Finding is one identifier that is missing, or that two have.
type Finding struct {
	Kind  Kind
	Port  *fabric.Port // that was looked at
	LID   ib.LID       // the one in question; of Port where it is no question of LIDs
	GUID  ib.GUID      // the one in question; of the node where it is no question of GUIDs
	Other *fabric.Port // that had the identifier before; nil where it is zero
}

// String says the finding in one line, in the words of ibidsverify.
func (f Finding) String() string {
	switch f.Kind {
	case ZeroLID:
		return fmt.Sprintf("LID 0 found for %s NodeGUID 0x%x", word(f.Port.Node()), uint64(f.GUID))
	case ZeroGUID:
		return fmt.Sprintf("%s GUID 0x0 found with LID %d", word(f.Port.Node()), f.LID)
	case DuplicateLID:
		return fmt.Sprintf("LID %d already defined for NodeGUID 0x%x", f.LID, uint64(f.Other.Node().GUID()))
	case DuplicateNode:
		return fmt.Sprintf("NodeGUID 0x%x already defined for LID %d", uint64(f.GUID), f.Other.LID())
	case DuplicatePort:
		return fmt.Sprintf("PortGUID 0x%x already defined for LID %d", uint64(f.GUID), f.Other.LID())
	}
	return fmt.Sprintf("PortGUID 0x%x is an invalid duplicate of a NodeGUID", uint64(f.GUID))
}

// word is the type of a node as ibidsverify writes it.
func word(n *fabric.Node) string {
	switch n.Type() {
	case ib.NodeSwitch:
		return "switch"
	case ib.NodeRouter:
		return "router"
	}
	return "ca"
}
