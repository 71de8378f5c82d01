package api

import "time"

// Event is something that happened.
type Event struct {
	ID       uint64    `json:"id" doc:"Counts up over all fabrics, and goes on after a restart"`
	Time     time.Time `json:"time" doc:"When it was seen"`
	Since    time.Time `json:"since,omitzero" doc:"When it was not so yet"`
	Fabric   string    `json:"fabric"`
	Kind     string    `json:"kind" doc:"A stable word, such as link-down"`
	Severity string    `json:"severity" enum:"info,warning,critical"`
	Message  string    `json:"message" doc:"One line"`
	At       *Place    `json:"at,omitempty" doc:"Where: a node or a port"`
	To       *Place    `json:"to,omitempty" doc:"What is at the other end"`
	Field    string    `json:"field,omitempty" doc:"Of a counter its name, of an attribute what has changed"`
	Old      string    `json:"old,omitempty" doc:"The previous state"`
	New      string    `json:"new,omitempty" doc:"That of now"`
	Count    uint64    `json:"count,omitempty" doc:"Of a flap how often, of errors how many in the interval"`
	How      string    `json:"how,omitempty" doc:"How it is known: refresh, verification, counters, trap"`
	Again    uint64    `json:"again,omitempty" doc:"ID of the event that this one follows on"`
	Cause    uint64    `json:"cause,omitempty" doc:"ID of the event that this one is a consequence of"`

	Links     []EventLink `json:"links,omitempty" doc:"Of a node: its links, and what is at the other ends"`
	Duplicate bool        `json:"duplicate,omitempty" doc:"It may have been told before"`
}

// EventLink is a link of the node that an event is about.
type EventLink struct {
	Port  int    `json:"port"`
	Label string `json:"label,omitempty"`
	To    *Place `json:"to,omitempty"`
}

// Events are events in the order of their IDs.
type Events struct {
	Schema  string  `json:"schema"`
	Version int     `json:"version"`
	Last    uint64  `json:"last" doc:"ID of the last event that there is, fitting or not"`
	Missed  uint64  `json:"missed,omitempty" doc:"How many after the one that was asked for are not kept any more; without history, of this run of the service"`
	Next    uint64  `json:"next,omitempty" doc:"What to give as after for the rest; absent at the end"`
	Items   []Event `json:"items"`
}

// StateNews says that something new is known of a fabric: the data of an event of a
// stream that is named state.
type StateNews struct {
	Fabric    string    `json:"fabric"`
	Status    string    `json:"status" enum:"starting,stored,live,lost"`
	At        time.Time `json:"at,omitzero" doc:"When the sweep ended that the fabric is known from"`
	CountedAt time.Time `json:"counted_at,omitzero" doc:"When the last pass over the counters ended"`
}
