// Package diff compares two fabrics: two snapshots of one, or two views of it, as
// what the nodes tell and what the subnet manager knows.
//
// Nodes are matched by node GUID, ports by their number, links by both their ends.
// The result depends on the two fabrics only, not on the order of their nodes'
// GUIDs in maps or on time.
package diff
