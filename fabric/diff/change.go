package diff

import "github.com/ibscope/ibscope/fabric"

// Subject is what a Change is about. The words are stable names for outputs.
type Subject string

// The subjects.
const (
	Node Subject = "node"
	Port Subject = "port"
	Link Subject = "link"
)

// Op is how A and B differ. The words are stable names for outputs.
type Op string

// The ways to differ.
const (
	OnlyA    Op = "only-a"   // B does not have it
	OnlyB    Op = "only-b"   // A does not have it
	Differs  Op = "differs"  // both have it, and tell different values of Field
	Moved    Op = "moved"    // of a link: one end is where it was, the other elsewhere
	Replaced Op = "replaced" // of a node: another one has its links
)

// Field is the attribute in which a node, port or link differs. The words are
// stable names for outputs.
type Field string

// The fields of nodes, of ports, and of links whose ends are the same in both.
const (
	Type            Field = "type"
	Description     Field = "description"
	NumPorts        Field = "num-ports"
	SystemImageGUID Field = "system-image-guid"
	VendorID        Field = "vendor-id"
	DeviceID        Field = "device-id"
	Revision        Field = "revision" // of the hardware
	Firmware        Field = "firmware" // where both fabrics know it

	PortGUID  Field = "port-guid"
	LID       Field = "lid" // of a switch, on its port 0
	LMC       Field = "lmc"
	State     Field = "state"
	PhysState Field = "phys-state"
	MTU       Field = "mtu"
	Enabled   Field = "enabled"   // widths and speeds
	Supported Field = "supported" // likewise

	Width Field = "width"
	Speed Field = "speed"
)

// Place is a node, or a port of it with what is at its other end.
type Place struct {
	Node *fabric.Node // nil for nothing
	Port *fabric.Port // nil for the node as a whole
	Peer *fabric.Port // the other end of a link; of a port nil where it has no link
}

// Change is one difference. A is the place in the first fabric, B in the second;
// OnlyA has no B, OnlyB no A.
//
// Of a link that has moved, Port is the end that is the same in both and Peer the
// one that is not.
type Change struct {
	Subject Subject
	Op      Op
	A, B    Place

	// Of Differs: which values are different, as text; those of Description come
	// from the fabric and are not escaped.
	Field    Field
	Old, New string
}
