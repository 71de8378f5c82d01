// Package fleet has several collectors of one fabric work together through NATS
// JetStream: they share the work of reading counters, tell each event as one, and
// publish events and snapshots.
//
// Nodes are divided into shares, and a share belongs to who has its lease: a key in a
// bucket whose entries the server forgets when nobody has renewed them for a time. All
// times are the server's, or durations of one machine's own clock. Without the server
// each collector does all of its work by itself.
//
// What is on the server:
//
//	bucket ibscope_leases_FABRIC   keys member.NAME and share.N
//	bucket ibscope_events          one key for each thing that has happened of late
//	stream IBSCOPE_EVENTS          subjects ibscope.events.FABRIC.KIND, as docs/json.md has them
//	objects ibscope_snapshots      an object for each fabric: a file of package format/snapshot
package fleet
