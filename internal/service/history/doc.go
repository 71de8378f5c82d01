// Package history keeps what was known of fabrics in one SQLite file: events, the
// fabric itself as whole snapshots and the differences between them, and rates of
// ports at falling resolution.
//
// A DB has one writer: the goroutine of Run, which follows an event.Log and stores the
// states that Record is given. Reading is for any goroutine, and for other processes,
// at the same time. Everything that belongs together is one transaction, so that the
// end of the process at any moment loses what was not written yet and nothing else.
//
// The file is bounded by age and by size. docs/history.md tells what it holds and what
// it costs.
package history
