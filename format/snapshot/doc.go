// Package snapshot reads and writes snapshots: one file with all that was read of
// a fabric, from which every report can be made again. docs/snapshot.md describes
// the schema; Schema and Version name it in each file.
//
// A file is JSON compressed by gzip. Each node, problem and port with counters has
// a line. Attributes are in wire form, so that nothing a device told is lost, and
// what a newer program has added within one version survives Read and Write.
//
// Both directions stream: beside the fabric itself memory holds one line, and the
// members that this package does not know.
package snapshot

// Identity of the schema. Within one version members are only ever added.
const (
	Schema  = "ibscope.snapshot"
	Version = 1
)

// Bounds of what is read, beyond which Read gives ErrTooLarge.
const (
	maxNodes    = 1 << 20
	maxPorts    = 1 << 22 // known or not, of all nodes
	maxRecord   = 4 << 20 // bytes of a line: a switch with all its tables has 2 MB
	maxTables   = 1 << 30 // bytes of all forwarding tables
	maxProblems = 1 << 20
	maxCounters = 1 << 22 // ports with counters
	maxValues   = 1 << 27 // counters of all ports
	maxUnknown  = 64 << 20
)
