package ibcacheedit

import (
	"github.com/ibscope/ibscope/format/cache"
	"github.com/ibscope/ibscope/ib"
)

// document is what has been changed.
type document struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Written bool     `json:"written"`
	Changes []change `json:"changes,omitempty"`
}

// change is a GUID that has been replaced.
type change struct {
	Kind   string  `json:"kind"` // the option
	Node   ib.GUID `json:"node,omitzero"`
	Before ib.GUID `json:"before"`
	After  ib.GUID `json:"after"`
}

func newChange(kind string, c *cache.Change) change {
	return change{Kind: kind, Node: c.Node, Before: c.Before, After: c.After}
}
