// Package webhook posts events to URLs, as JSON, signed, and again until they are
// taken: what waits is in a queue on disk, which outlives the process, and has a bound.
//
// An event is delivered at least once; its ID tells who gets it twice. A request is
//
//	POST /path
//	Content-Type: application/json
//	Ibscope-Delivery: TARGET-FIRST-LAST          the IDs of the events in it
//	Ibscope-Timestamp: 1767225600                seconds of Unix time
//	Ibscope-Signature: sha256=HEX                see Sign
//
//	{"schema":"ibscope.events","version":1,"events":[…]}
//
// with the events as docs/json.md has them.
package webhook
