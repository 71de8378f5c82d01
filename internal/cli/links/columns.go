package links

import "github.com/ibscope/ibscope/internal/cli/report"

// The columns, as indices of a row.
const (
	aName = iota
	aPort
	bName
	bPort
	state
	width
	speed
	rate
	best
	degraded
	aErrors
	bErrors
	physState
	aLID
	bLID
	aLabel
	bLabel
	tier
	aGUID
	bGUID
	aType
	bType
	aPortGUID
	bPortGUID
	bestRate
	oneWay
	numColumns
)

// columns describes them.
var columns = []report.Column{
	aName:     {Name: "a.name", Title: "Node", Min: 16, Help: "name of the node at one end, else its description"},
	aPort:     {Name: "a.port", Title: "Port", Right: true, Help: "its port"},
	bName:     {Name: "b.name", Title: "Peer", Min: 16, Help: "name of the node at the other end"},
	bPort:     {Name: "b.port", Title: "Port", Right: true, Help: "its port"},
	state:     {Name: "state", Title: "State", Help: "logical state, of the end that is less far"},
	width:     {Name: "width", Title: "Width", Rank: 2, Help: "active width"},
	speed:     {Name: "speed", Title: "Speed", Rank: 2, Help: "active speed"},
	rate:      {Name: "rate_gbps", Title: "Rate", Unit: "Gb/s", Right: true, Rank: 4, Help: "data rate"},
	best:      {Name: "best", Title: "Best", Rank: 1, Help: "width and speed that both ends support, of degraded links"},
	degraded:  {Name: "degraded", Title: "Degraded", Rank: 3, Help: "what is less than best: width, speed"},
	aErrors:   {Name: "a.errors", Title: "Errors", Unit: "node", Right: true, Rank: 1, Help: "with --errors: sum of the errors of one end"},
	bErrors:   {Name: "b.errors", Title: "Errors", Unit: "peer", Right: true, Rank: 1, Help: "of the other end"},
	physState: {Name: "phys_state", Title: "PhysState", Rank: 5, Help: "physical state"},
	aLID:      {Name: "a.lid", Title: "LID", Right: true, Rank: 7, Help: "LID of one end, on a switch that of port 0"},
	bLID:      {Name: "b.lid", Title: "LID", Right: true, Rank: 7, Help: "of the other end"},
	aLabel:    {Name: "a.label", Title: "Label", Right: true, Rank: 6, Help: "port number on the front of the chassis, where it is known"},
	bLabel:    {Name: "b.label", Title: "Label", Right: true, Rank: 6, Help: "of the other end"},
	tier:      {Name: "tier", Title: "Tier", Right: true, Rank: 8, Help: "lower tier of the two ends; hosts are 0"},
	aGUID:     {Name: "a.guid", Title: "GUID", Rank: 9, Help: "node GUID"},
	bGUID:     {Name: "b.guid", Title: "Peer GUID", Rank: 9, Help: "of the other end"},
	aType:     {Name: "a.type", Title: "Type", Hidden: true, Help: "CA, Switch, Router"},
	bType:     {Name: "b.type", Title: "Type", Hidden: true, Help: "of the other end"},
	aPortGUID: {Name: "a.port_guid", Title: "Port GUID", Hidden: true, Help: "port GUID"},
	bPortGUID: {Name: "b.port_guid", Title: "Port GUID", Hidden: true, Help: "of the other end"},
	bestRate:  {Name: "best_gbps", Title: "Best", Unit: "Gb/s", Right: true, Hidden: true, Help: "data rate of the best width and speed"},
	oneWay:    {Name: "one_way", Title: "One way", Hidden: true, Help: "only one end knows of the link"},
}
