// Package scenario lets things happen to a simulated fabric: links that go down
// at a given second, switches that are replaced, counters that jump, a subnet
// manager that vanishes. A file tells what and when; docs/simulator.md has its
// whole language.
//
// Load reads a file. What it says of topology, physics, traffic and faults goes
// into the making of the fabric (Scenario.URI, Options, Traffic); New makes a
// Runner for its timeline, which Advance steps by hand, and Run by the clock, at
// Scenario.Speed. Start does both in a goroutine, also in the virtual time of
// testing/synctest. Log tells what was done, and when.
//
// The commands of a timeline are lines of text, as "link down leaf01/7". Any
// other program may give them too, by Runner.Do; package sim/control does so for
// a socket.
package scenario
