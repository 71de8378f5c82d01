package api

import (
	"time"

	"github.com/ibscope/ibscope/ib"
)

// Health is what is wrong with a fabric.
type Health struct {
	Schema   string    `json:"schema"`
	Version  int       `json:"version"`
	Fabric   string    `json:"fabric"`
	At       time.Time `json:"at,omitzero"`
	Verdict  string    `json:"verdict" enum:"healthy,degraded,failing,unknown"`
	Critical int       `json:"critical"`
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Notes    int       `json:"notes"`
	Total    int       `json:"total" doc:"Findings that there are; the answer has the worst of them"`
	Findings []Finding `json:"findings" doc:"The worst first"`
	Checks   []Check   `json:"checks"`
}

// Finding is one thing that is wrong, or worth a note.
type Finding struct {
	Severity string   `json:"severity" enum:"critical,error,warning,note"`
	Kind     string   `json:"kind" doc:"A stable word, such as narrow or duplicate-lid"`
	Text     string   `json:"text" doc:"One line"`
	Count    int      `json:"count" doc:"Places that it sums up"`
	At       *Place   `json:"at,omitempty"`
	To       *Place   `json:"to,omitempty"`
	Evidence []string `json:"evidence,omitempty" doc:"What it rests on"`
	Remedy   []string `json:"remedy,omitempty" doc:"What to do, the best first"`
}

// Check is one of the checks, and whether it could look.
type Check struct {
	Name     string `json:"name"`
	Looked   int    `json:"looked"`
	What     string `json:"what" doc:"What it looked at"`
	Findings int    `json:"findings"`
	Skipped  string `json:"skipped,omitempty" doc:"Why it could not look"`
}

// Trace are the ways from one port to the LIDs of another.
type Trace struct {
	Schema  string     `json:"schema"`
	Version int        `json:"version"`
	Fabric  string     `json:"fabric"`
	At      time.Time  `json:"at,omitzero"`
	From    Place      `json:"from"`
	To      Place      `json:"to"`
	Tables  string     `json:"tables" enum:"read,computed" doc:"read: the forwarding tables of the switches; computed: they are not known, the ways are shortest ones"`
	ReadAt  time.Time  `json:"tables_read_at,omitzero" doc:"When the oldest of the tables on the ways was read; absent where they are computed"`
	Ways    []TraceWay `json:"ways" doc:"One for each LID of the destination"`
}

// TraceWay is the way of packets to one LID.
type TraceWay struct {
	LID     ib.LID `json:"lid"`
	Arrives bool   `json:"arrives"`
	Outcome string `json:"outcome" doc:"How it ends: arrives, no-route, dead-end, wrong-end, circle, unread (at a switch whose table could not be read), no-start, not-assigned"`
	Hops    []Hop  `json:"hops" doc:"The nodes, the source first"`
}

// Hop is a node on a way.
type Hop struct {
	Place
	In        *int    `json:"in_port,omitempty" doc:"Port where packets come in"`
	Out       *int    `json:"out_port,omitempty" doc:"Port by which they leave"`
	Link      string  `json:"link,omitempty" doc:"ID of the link by which they leave"`
	State     string  `json:"state,omitempty" doc:"Its state"`
	Active    *Rate   `json:"active,omitempty" doc:"Its rate"`
	InErrors  *uint64 `json:"in_errors,omitempty" doc:"Sum of the error counters of the port where packets come in; absent where none was read"`
	OutErrors *uint64 `json:"out_errors,omitempty" doc:"Of the port by which they leave"`
}

// Differences are what has changed between two times.
type Differences struct {
	Schema  string       `json:"schema"`
	Version int          `json:"version"`
	Fabric  string       `json:"fabric"`
	A       Side         `json:"a"`
	B       Side         `json:"b"`
	Same    bool         `json:"same"`
	Total   int          `json:"total" doc:"Differences that there are; the answer has the first of them"`
	Changes []Difference `json:"changes" doc:"Of nodes, then links, then ports"`
}

// Side is one of two times.
type Side struct {
	At       time.Time `json:"at" doc:"The last time, not after the one that was asked for, at which it is known to have been so"`
	Complete bool      `json:"complete"`
	Nodes    int       `json:"nodes"`
	Links    int       `json:"links"`
}

// Difference is one difference; docs/json.md has the words.
type Difference struct {
	Subject string     `json:"subject" enum:"node,link,port"`
	Change  string     `json:"change" doc:"only-a, only-b, differs, moved or replaced"`
	Field   string     `json:"field,omitempty" doc:"Of differs: what"`
	InA     *string    `json:"in_a,omitempty"`
	InB     *string    `json:"in_b,omitempty"`
	A       *DiffPlace `json:"a,omitempty"`
	B       *DiffPlace `json:"b,omitempty"`
	Message string     `json:"message" doc:"One line"`
}

// DiffPlace is where a difference is, at one time.
type DiffPlace struct {
	Place
	Peer *Place `json:"peer,omitempty"`
}

// RateSeries are the rates of a port over time, at falling resolution: of each pass over
// the counters at last, before that of 5 minutes, of hours, of days.
type RateSeries struct {
	Schema  string       `json:"schema"`
	Version int          `json:"version"`
	Fabric  string       `json:"fabric"`
	Port    Place        `json:"port"`
	Times   []int64      `json:"times" doc:"Ends of the intervals, in seconds since 1970, the oldest first"`
	Seconds []float64    `json:"seconds" doc:"How long each interval is"`
	Series  []RateValues `json:"series"`
}

// RateValues is one series: a value for each of the times.
type RateValues struct {
	Name   string     `json:"name" doc:"xmit_bytes_per_second, rcv_bytes_per_second, xmit_packets_per_second, rcv_packets_per_second or congestion, which are means in the interval; each with _max, the highest in it; errors, which are those counted in it"`
	Values []*float64 `json:"values" doc:"null where it is not known"`
}
