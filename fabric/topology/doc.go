// Package topology understands the shape of a fabric: which nodes are hosts,
// leaf, spine or core switches, which adapters make up a host, and whether the
// switches form a fat tree, a dragonfly or dragonfly+, a torus, mesh, hypercube
// or HyperX, with the tiers, groups, coordinates, rails and planes of it.
//
// Classify computes it from a fabric.Fabric and nothing else. It works on whole
// and on partial fabrics: a few nodes and links that are missing, or in the wrong
// place, do not change the answer, and are counted as what does not fit. What
// fits no shape is Irregular and has tiers by the distance from the hosts.
package topology
