package errors

import "github.com/ibscope/ibscope/internal/cli/report"

// The columns, as indices of a row.
const (
	severity = iota
	name
	port
	counter
	value
	rate
	peerName
	peerPort
	saturated
	limit
	rateStatus
	lid
	peerLID
	guid
	peerGUID
	delta
	interval
	field
	unit
	typ
	portGUID
	peerType
	read
	numColumns
)

// columns describes them.
var columns = []report.Column{
	severity:   {Name: "severity", Title: "Severity", Rank: 2, Help: "fault, loss or sign"},
	name:       {Name: "port.name", Title: "Node", Min: 14, Help: "name of the node whose port counted"},
	port:       {Name: "port.port", Title: "Port", Right: true, Help: "the port"},
	counter:    {Name: "counter", Title: "Counter", Help: "name of the counter, as the C tools have it"},
	value:      {Name: "value", Title: "Value", Right: true, Help: "what it stands at; more than that where it is saturated"},
	rate:       {Name: "rate_per_second", Title: "Rate", Unit: "1/s", Right: true, Help: "of two readings: how fast it counts"},
	peerName:   {Name: "peer.name", Title: "Peer", Min: 14, Rank: 1, Help: "name of the node at the other end"},
	peerPort:   {Name: "peer.port", Title: "Port", Right: true, Rank: 1, Help: "its port"},
	saturated:  {Name: "saturated", Title: "Saturated", Hidden: true, Help: "it stands at the end of its field"},
	limit:      {Name: "threshold", Title: "Threshold", Right: true, Rank: 3, Help: "the value that it is beyond"},
	rateStatus: {Name: "rate_status", Title: "Rate status", Hidden: true, Help: "of two readings: known, absent, saturated, reset"},
	lid:        {Name: "port.lid", Title: "LID", Right: true, Rank: 4, Help: "LID of the port"},
	peerLID:    {Name: "peer.lid", Title: "LID", Right: true, Rank: 4, Help: "of the other end"},
	guid:       {Name: "port.guid", Title: "GUID", Rank: 5, Help: "node GUID"},
	peerGUID:   {Name: "peer.guid", Title: "Peer GUID", Rank: 5, Help: "of the other end"},
	delta:      {Name: "counted", Title: "Counted", Right: true, Hidden: true, Help: "of two readings: how much it counted, at least that where it is saturated"},
	interval:   {Name: "interval_seconds", Title: "Interval", Unit: "s", Right: true, Hidden: true, Help: "of two readings: time between the two readings of this port"},
	field:      {Name: "field", Title: "Field", Hidden: true, Help: "name of the counter in data"},
	unit:       {Name: "unit", Title: "Unit", Hidden: true, Help: "what it counts"},
	typ:        {Name: "port.type", Title: "Type", Hidden: true, Help: "CA, Switch, Router"},
	portGUID:   {Name: "port.port_guid", Title: "Port GUID", Hidden: true, Help: "port GUID"},
	peerType:   {Name: "peer.type", Title: "Type", Hidden: true, Help: "of the other end"},
	read:       {Name: "read", Title: "Read", Hidden: true, Help: "when, in UTC"},
}
