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
	How      string    `json:"how" doc:"How it is known: refresh, verification, counters, trap"`
	Again    uint64    `json:"again,omitempty" doc:"ID of the event that this one follows on"`
}

// Events are events in the order of their IDs.
type Events struct {
	Schema  string  `json:"schema"`
	Version int     `json:"version"`
	Last    uint64  `json:"last" doc:"ID of the last event that there is, fitting or not"`
	Missed  uint64  `json:"missed,omitempty" doc:"How many after the one that was asked for are not kept any more"`
	Next    uint64  `json:"next,omitempty" doc:"What to give as after for the rest; absent at the end"`
	Items   []Event `json:"items"`
}
