// Package survey reads what there is to know of a fabric beside its sweep: the
// forwarding tables of its switches, the counters of its ports, and what its
// subnet manager knows of it. With the sweep that is a snapshot, which package
// format/snapshot stores.
package survey
