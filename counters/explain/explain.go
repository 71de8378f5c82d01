// Package explain says what the counters of ports mean, what mostly makes them
// count, and what to do then. It is knowledge in a table: no input, no output.
package explain

import "github.com/ibscope/ibscope/counters"

// Severity is how bad it is that a counter counts.
type Severity uint8

// The severities, the mildest first.
const (
	Traffic Severity = iota // it is no error at all
	Sign                    // a sign of something elsewhere, or of load
	Loss                    // packets were thrown away
	Fault                   // a cable, a transceiver or a port is bad
)

// String is a stable word for outputs: "fault".
func (s Severity) String() string {
	switch s {
	case Sign:
		return "sign"
	case Loss:
		return "loss"
	case Fault:
		return "fault"
	}
	return "traffic"
}

// Explanation is what there is to say about a counter. The texts are sentences.
type Explanation struct {
	Counter  counters.Counter
	Severity Severity
	Unit     string // "errors", "packets", "words of 4 bytes", "events", "ticks"
	Meaning  string // what is counted (IBA vol. 1, 16.1.3.5)
	Cause    string // what mostly makes it count
	Action   string // what to do
}

// Of explains a counter.
func Of(c counters.Counter) Explanation {
	if int(c) >= len(table) {
		return Explanation{Counter: c}
	}
	e := table[c]
	e.Counter = c
	return e
}
