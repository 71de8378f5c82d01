// Package sim is a simulated fabric in the process: its nodes answer requests,
// forward packets and keep what is set, as the switches and adapters of a
// fabric.Fabric would. The fabric may have been read from a file, swept from
// real hardware, or made by a generator of package sim/gen.
//
// New makes the fabric, Attach opens a port of it. A Port is a transport for
// package madrpc, like a port of the kernel: whatever runs on hardware runs on
// it too. Programs that have Ports open reach each other, so one may be the
// subnet manager of the others (Port.SetIsSM). Answers are computed in Send, by
// the sender's goroutine; the package starts no goroutine of its own, waits only
// in Recv, and has one timer, for traps that nobody represses, so it runs under
// testing/synctest in virtual time.
//
// What the fabric knows in wire form is answered as it is, but for the two
// fields that name the port a request arrived on. What it does not know (ports
// that a file did not list, fields that its format does not have) is made up
// so that it fits the rest. What is set lies over the model, which never
// changes: readers take no lock, writers one.
//
// The fabric starts as a subnet manager has left it, with made-up forwarding
// tables where it knows none, or with Options.Fresh as after power-on. Links
// train, and go from Initialize to Active, as IBA vol. 1, 14.2.5.6 allows;
// M_Keys guard the ports; traps tell the subnet manager. Link, LinkDown, KillNode
// and others change the hardware while it runs.
//
// Other classes are plugged in: see Agent, Conversation, Fabric.Use, and Monitor
// for those that count. Manager is a subnet manager without packets. Options
// tell latency, loss, Faults to inject, and Physics: how long agents take, what
// their queues hold, which cables and agents are bad. Physics also count.
package sim
