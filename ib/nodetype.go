package ib

// NodeType is the kind of a node (NodeInfo.NodeType, IBA vol. 1, 14.2.5.3).
type NodeType uint8

// The node types.
const (
	NodeCA     NodeType = 1 // channel adapter: a host or a target
	NodeSwitch NodeType = 2
	NodeRouter NodeType = 3
)

var nodeTypeNames = enumNames{"", "CA", "Switch", "Router"}

// String is "CA", "Switch", "Router" or "unknown (N)".
func (t NodeType) String() string { return nodeTypeNames.text(uint8(t)) }

// MarshalText implements encoding.TextMarshaler.
func (t NodeType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *NodeType) UnmarshalText(b []byte) error {
	v, err := nodeTypeNames.parse("node type", string(b))
	*t = NodeType(v)
	return err
}
