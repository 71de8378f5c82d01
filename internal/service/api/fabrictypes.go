package api

import (
	"time"

	"github.com/ibscope/ibscope/ib"
)

// Fabrics are all fabrics of the service.
type Fabrics struct {
	Schema  string    `json:"schema"`
	Version int       `json:"version"`
	Program string    `json:"program" doc:"Name and version of the program that answers"`
	Started time.Time `json:"started" doc:"When the service started"`
	Events  uint64    `json:"events" doc:"ID of the last event"`
	Items   []Fabric  `json:"items" doc:"In the order of their names"`

	History *HistoryStatus `json:"history,omitempty" doc:"How the history does; absent where none is to be kept"`
}

// HistoryStatus is how the history does.
type HistoryStatus struct {
	Failing    bool      `json:"failing" doc:"Nothing is stored now"`
	Error      string    `json:"error,omitempty" doc:"Why"`
	Since      time.Time `json:"failing_since,omitzero"`
	LostEvents uint64    `json:"lost_events" doc:"Events since the start that were not stored, and will not be"`
	LostStates uint64    `json:"lost_states" doc:"States of fabrics since the start that were not stored, and will not be"`

	Rates []RatesKept `json:"rates,omitempty" doc:"How far rates of ports go back, the finest first; absent before the first are stored"`
}

// RatesKept is how far the rates of one resolution go back.
type RatesKept struct {
	Interval   float64   `json:"interval_seconds" doc:"0 for those of each pass over the counters"`
	Keep       float64   `json:"keep_seconds" doc:"How long they are kept, if there is room"`
	From       time.Time `json:"from,omitzero" doc:"The oldest there are; with early_since, from when on they are there of all fabrics; absent for none"`
	EarlySince time.Time `json:"early_since,omitzero" doc:"Since when, after the start of the service, the oldest go before their time, because the file has its full size; absent while all are kept"`
}

// The states of a fabric, as words.
const (
	Starting = "starting" // nothing is known yet
	Stored   = "stored"   // known from a snapshot, nothing has been read yet
	Live     = "live"
	Lost     = "lost" // there is no port to it: what is known is old
)

// Fabric is a fabric at a glance, and how its sweeps go.
type Fabric struct {
	Name      string    `json:"name" doc:"The word that the operator chose"`
	Source    string    `json:"source" doc:"URI that it is read from"`
	Status    string    `json:"status" enum:"starting,stored,live,lost" doc:"starting: nothing is known yet; stored: known from a snapshot, nothing has been read yet; lost: there is no port to it, what is known is old"`
	At        time.Time `json:"at,omitzero" doc:"When the sweep ended that the fabric is known from"`
	LostSince time.Time `json:"lost_since,omitzero" doc:"Since when there is no port to it"`
	Error     string    `json:"error,omitempty" doc:"Why, or why the last sweep or pass ended early"`
	Complete  bool      `json:"complete" doc:"Nothing was missing from the last sweep"`
	Counts    *Counts   `json:"counts,omitempty" doc:"Absent while nothing is known"`
	Topology  *Shape    `json:"topology,omitempty"`
	Managers  []Manager `json:"managers" doc:"Subnet managers that answered, the master first"`
	Refresh   Run       `json:"refresh" doc:"The last sweep that asked what may have changed"`
	Verify    Run       `json:"verify" doc:"The last sweep that asked everything"`
	Counters  Run       `json:"counters" doc:"The last pass over the counters"`
	CountedAt time.Time `json:"counted_at,omitzero" doc:"When that pass ended"`
	Tables    Run       `json:"tables" doc:"The last reading of forwarding tables"`
}

// Counts are numbers of a fabric.
type Counts struct {
	Nodes         int `json:"nodes"`
	CAs           int `json:"cas"`
	Switches      int `json:"switches"`
	Routers       int `json:"routers"`
	Hosts         int `json:"hosts" doc:"Machines: adapters that say that they are in one count once"`
	Links         int `json:"links"`
	DegradedLinks int `json:"degraded_links" doc:"Slower or narrower than both ends support"`
	InactiveLinks int `json:"inactive_links" doc:"Cables whose link is not Active"`
	FlappingLinks int `json:"flapping_links" doc:"Went down and up lately"`
	Problems      int `json:"problems"`
}

// Shape is how the switches are joined.
type Shape struct {
	Kind   string `json:"kind" doc:"Such as fat-tree, dragonfly-plus, torus, irregular"`
	Tiers  int    `json:"tiers,omitempty" doc:"Highest tier of switches; leaves are 1"`
	Groups int    `json:"groups,omitempty" doc:"Pods or groups of the largest part"`
	Rails  int    `json:"rails,omitempty"`
	Planes int    `json:"planes,omitempty"`
}

// Manager is a subnet manager.
type Manager struct {
	GUID     ib.GUID    `json:"guid" doc:"Node GUID"`
	Name     string     `json:"name"`
	Port     int        `json:"port"`
	PortGUID ib.GUID    `json:"port_guid"`
	LID      ib.LID     `json:"lid,omitempty"`
	State    ib.SMState `json:"state" doc:"Master, Standby, Discovering or Not-Active"`
	Priority int        `json:"priority"`
	Activity uint32     `json:"activity" doc:"Its count, which stands still when it hangs"`
}

// Run is a sweep or a pass over the counters, and how many there were.
type Run struct {
	Count    int       `json:"count" doc:"How many there were since the start"`
	Failed   int       `json:"failed" doc:"How many of these came to no result"`
	Started  time.Time `json:"started,omitzero" doc:"When the last one started; absent before the first"`
	Duration float64   `json:"duration_seconds" doc:"How long it took"`
	Requests int       `json:"requests" doc:"Requests sent for the first time"`
	Resent   int       `json:"resent" doc:"Repetitions of these"`
	TimedOut int       `json:"timed_out" doc:"Requests without an answer in all their tries"`
	Problems int       `json:"problems"`
	Complete bool      `json:"complete" doc:"Nothing is missing"`
	Error    string    `json:"error,omitempty"`
}

// FabricAnswer is one fabric.
type FabricAnswer struct {
	Schema  string `json:"schema"`
	Version int    `json:"version"`
	Fabric  Fabric `json:"fabric"`
}
