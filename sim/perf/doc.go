// Package perf is performance management of a simulated fabric: the counters of
// all ports, and the agent that answers for them (IBA vol. 1, 16.1).
//
// New makes the Counters, Use plugs them into the fabric: as agent of the class,
// and as the monitor that counts what passes. Beside the packets that really
// pass, counters move by the traffic of package traffic, by what Count adds, and
// to what Set sets.
//
// A port has one total for each thing that is counted. A counter of an attribute
// is the total less what it was at the last reset, cut at the width of the field:
// so 4, 8, 16 and 32 bits stop at their largest value, 64 bits wrap around, and
// the same thing in two attributes is reset in each on its own.
//
// While a link is down its traffic stands still. Nobody tells when it is up again:
// it goes on when its counters are next looked at.
//
// All packets here are MADs: 288 bytes, 72 words, with their headers. They
// appear in the counters of service level 0 and of opcode 0x64; not in those of
// virtual lanes, because it is not known whether they took VL 15.
package perf
