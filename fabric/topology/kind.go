package topology

// Kind is the shape in which switches are joined. The constants are the stable
// names of machine-readable outputs.
type Kind string

// The kinds of shapes.
const (
	None          Kind = "none"           // no switch at all
	SingleSwitch  Kind = "single-switch"  // one switch, or one director as a whole
	FatTree       Kind = "fat-tree"       // tiers, links between neighbouring ones only
	DragonflyPlus Kind = "dragonfly-plus" // groups of leaves and spines, joined by their spines
	Dragonfly     Kind = "dragonfly"      // groups in which all are joined, and links between groups
	Torus         Kind = "torus"          // a lattice, in at least one dimension closed to rings
	Mesh          Kind = "mesh"           // a lattice with ends in all dimensions
	Hypercube     Kind = "hypercube"      // two switches in each of three or more dimensions
	HyperX        Kind = "hyperx"         // in each dimension all of a row are joined
	Irregular     Kind = "irregular"      // none of these
)

// isLattice reports whether the switches of the kind have coordinates.
func (k Kind) isLattice() bool { return k == Torus || k == Mesh || k == Hypercube || k == HyperX }
