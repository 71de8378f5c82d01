package api

import (
	"time"

	"github.com/ibscope/ibscope/ib"
)

// Routes are what the last check of the forwarding tables has found: all ways were
// followed from the switches with adapters to all LIDs.
type Routes struct {
	Schema      string         `json:"schema"`
	Version     int            `json:"version"`
	Fabric      string         `json:"fabric"`
	At          time.Time      `json:"at,omitzero" doc:"When the sweep ended that the fabric is known from"`
	ReadAt      time.Time      `json:"tables_read_at" doc:"When the last reading of forwarding tables ended"`
	Reading     Run            `json:"reading" doc:"That reading"`
	Switches    int            `json:"switches"`
	Unread      []UnreadTable  `json:"unread" doc:"Switches whose table could not be read; ways are not known beyond them"`
	Sources     int            `json:"sources" doc:"Switches that packets of adapters begin at"`
	LIDs        int            `json:"lids" doc:"That ways lead to"`
	Ways        int            `json:"ways" doc:"From a source to a LID"`
	Lost        int            `json:"ways_that_end_early" doc:"Ways that do not arrive"`
	Unknown     int            `json:"ways_not_known" doc:"Ways that come to a switch whose table could not be read"`
	Unreachable int            `json:"unreachable_lids" doc:"LIDs that a way does not arrive at"`
	CreditLoops int            `json:"credit_loops" doc:"As if all packets shared one virtual lane; ibscope routes check --lanes looks at lanes"`
	Total       int            `json:"total" doc:"Findings that there are; the answer has the first of them"`
	Findings    []RouteFinding `json:"findings"`
}

// UnreadTable is a switch whose forwarding table is not known.
type UnreadTable struct {
	Place
	Problem string `json:"problem,omitempty" doc:"Why"`
}

// RouteFinding is ways that end in the same wrong place, or a credit loop.
type RouteFinding struct {
	Kind string `json:"kind" enum:"no-route,black-hole,wrong-end,loop,no-lid,credit-loop" doc:"As ibscope routes check has it"`
	At   Place  `json:"at" doc:"The node where it is, with the port that packets are sent to there"`
	Text string `json:"text" doc:"One line"`
	LIDs int    `json:"lids" doc:"LIDs that are not reached"`
	LID  ib.LID `json:"lid,omitempty" doc:"The first of them"`
	To   *Place `json:"to,omitempty" doc:"Who has that one"`
	From *Place `json:"from,omitempty" doc:"Where a way begins that ends here"`
	Ways int    `json:"ways" doc:"Ways that end here; of a credit loop its links"`
	Hops []Hop  `json:"hops" doc:"The way from there; of a credit loop its links"`
}
