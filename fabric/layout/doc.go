// Package layout says where the nodes of a fabric are in a picture of it: switches
// in rows by tier, pods and groups side by side or in a ring, lattices as grids,
// rails and planes beside each other, hosts below their switches.
//
// Compute is a function of the fabric and its topology and of nothing else: the same
// fabric gives the same places. It knows sizes and places, not colours or texts.
package layout
