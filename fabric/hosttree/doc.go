// Package hosttree arranges hosts as schedulers want to see them: each host once,
// below one leaf, each leaf below one domain of the next tier. Switches of one tier
// that reach the same leaves, as the spines of a fat tree do, are one domain.
//
// The leaf of a host with several adapters is that of its first rail. A host that
// has no link there goes where its neighbours on another rail went. Networks that
// share hosts and no switches, as those for computing and for storage do, are trees
// of their own.
package hosttree
