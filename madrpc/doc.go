// Package madrpc asks the agents of a fabric: it sends management requests
// over a Transport, matches the replies to them, repeats what got lost, and
// limits how much is in flight.
//
// A Client serves any number of callers at once. Do waits for one request; a
// Queue keeps many going for one consumer and hands back what is finished.
// Both work on a Request that the caller owns and may use again, so that a
// steady stream of requests allocates nothing.
//
// # Matching
//
// A reply ends a request when it has the lower half of its transaction ID (the
// Linux kernel owns the upper half), its class, the response to its method, its
// attribute, and the attribute modifier where that selects a port or a block.
// A reply to an earlier try counts: the tries share a transaction ID, or the IDs
// of the latest three are known. Everything else that arrives is counted in Stats and otherwise
// ignored: late and repeated replies are normal in a busy fabric.
//
// # Order
//
// Requests are sent in the order in which they were started, within a global
// window and a window per Target. Requests beyond their Target's window wait
// aside and join the tail of the order as earlier ones to that Target end, so
// a slow or dead device holds up nobody else.
//
// # What adapts
//
// How long a try waits, how many tries there are, and how much is in flight follow
// from the replies that come, unless Options say it. The timeout is the usual round
// trip of requests that go as far, doubled for each try; where replies turn out to
// come later, it grows. The tries are as many as make it improbable that all get
// lost. The global window grows while replies come soon, and shrinks for losses on
// ways that are known to work. A request that waits longer than usual no longer
// takes part in it. The file window.go has the policy.
package madrpc
