// Package sim is a simulated fabric in the process: it answers subnet
// management requests as the switches and adapters of a fabric.Fabric would.
// The fabric may have been read from a file, swept from real hardware, or made
// by a generator of package sim/gen.
//
// New makes the fabric, Attach opens a port of it. A Port is a transport for
// package madrpc, like a port of the kernel: whatever runs on hardware runs on
// it too. Answers are computed in Send, by the sender's goroutine; the package
// starts no goroutine of its own, and waits only in Recv, so it runs under
// testing/synctest in virtual time.
//
// What the fabric knows in wire form is answered as it is, but for the two
// fields that name the port a request arrived on. What it does not know (ports
// that a file did not list, fields that its format does not have) is made up
// so that it fits the rest.
//
// Agents of other classes are plugged in: see Agent, Fabric.Use, and Monitor for
// those that count.
//
// The answers follow IBA vol. 1, chapter 14. Set is refused: the fabric does
// not change. Options tell latency, loss, and Faults to inject.
package sim
