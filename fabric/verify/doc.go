// Package verify compares the wiring of a fabric with a plan of it: cables that
// are missing, on the wrong port, exchanged, too slow, or not in the plan, and
// nodes that another one has taken the place of. Each finding says what is wrong
// and what to do about it at the rack.
//
// A plan is a list of cables, from a file (package format/wiring) or an earlier
// fabric (FromFabric), or rules that any number of cables can keep. Rules may be about the firmware of devices,
// too, as far as the nodes of the fabric have it.
package verify
