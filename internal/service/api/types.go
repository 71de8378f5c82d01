package api

import (
	"time"

	"github.com/ibscope/ibscope/ib"
)

// The types of this file and its neighbours are the answers. Their tags are the
// declaration that the OpenAPI document is made from: json names the field, which is
// required unless it is omitempty or omitzero, doc describes it, enum lists its words.
// Within a version fields are only added.

// Version is that of the API, and of all of its answers.
const Version = 1

// Page is a part of a list. Items are in an order that depends on the fabric only.
type Page[T any] struct {
	Schema  string    `json:"schema" doc:"What the items are: ibscope.api. and the last word of the path"`
	Version int       `json:"version" doc:"Version of the schema"`
	Fabric  string    `json:"fabric,omitempty" doc:"Name of the fabric"`
	At      time.Time `json:"at,omitzero" doc:"When the sweep ended that the fabric is known from"`
	Total   int       `json:"total" doc:"How many items fit the filters"`
	Offset  int       `json:"offset" doc:"Place of the first item of this answer among these"`
	Next    int       `json:"next,omitempty" doc:"The offset to ask for next; absent at the end"`
	Items   []T       `json:"items"`
}

// ErrorAnswer is the body of every answer whose status is not 2xx or 304, of the type
// application/problem+json (RFC 9457).
type ErrorAnswer struct {
	Status int    `json:"status" doc:"The HTTP status"`
	Title  string `json:"title" doc:"Its usual words"`
	Detail string `json:"detail" doc:"What is wrong, and what to do where that is known"`
}

// Rate is a width and a speed in use.
type Rate struct {
	Width    string  `json:"width" doc:"Such as 4x"`
	Speed    string  `json:"speed" doc:"Such as NDR"`
	RateGbps float64 `json:"rate_gbps,omitempty" doc:"Data rate in 10^9 bits per second, after the line code"`
}

// Rates are widths and speeds that are possible.
type Rates struct {
	Widths []string `json:"widths"`
	Speeds []string `json:"speeds"`
}

// Place names a node, or a port of it, with enough that no look-up is needed.
type Place struct {
	GUID     ib.GUID     `json:"guid" doc:"Node GUID"`
	Type     ib.NodeType `json:"type" enum:"CA,Switch,Router"`
	Name     string      `json:"name" doc:"Name of the node: from the node name map, else its description, else its GUID; text that anybody on the fabric can choose"`
	Port     *int        `json:"port,omitempty" doc:"Port number; absent for a node as a whole"`
	Label    string      `json:"label,omitempty" doc:"What stands on the panel beside the port, where that is not its number"`
	Position string      `json:"position,omitempty" doc:"Place in a chassis, such as Line 1 Chip 2"`
	LID      ib.LID      `json:"lid,omitempty" doc:"Base LID, of a switch that of port 0"`
}

// Problem is something that was met while a fabric was read.
type Problem struct {
	Kind      string   `json:"kind" doc:"A stable word, such as no-reply"`
	Message   string   `json:"message" doc:"One line"`
	Loss      bool     `json:"loss" doc:"Something is missing; else it is a finding about what is there"`
	GUID      *ib.GUID `json:"guid,omitempty" doc:"Node GUID"`
	Name      string   `json:"name,omitempty" doc:"Name of the node"`
	Port      *int     `json:"port,omitempty"`
	LID       ib.LID   `json:"lid,omitempty" doc:"LID that was asked"`
	Path      string   `json:"path,omitempty" doc:"Directed route that was asked, such as 0,1,2"`
	Attribute string   `json:"attribute,omitempty" doc:"ID of the attribute that was asked for, such as 0x0015"`
	Modifier  *uint32  `json:"modifier,omitempty" doc:"Its modifier"`
	File      string   `json:"file,omitempty" doc:"Name and line of a file"`
	Detail    string   `json:"detail,omitempty"`
	Error     string   `json:"error,omitempty" doc:"The cause"`
}
