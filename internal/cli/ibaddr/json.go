package ibaddr

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
)

// document are all addresses, whatever the options leave out of the text.
type document struct {
	Destination diags.Destination `json:"destination"`
	GID         ib.GID            `json:"gid"`
	FirstLID    int               `json:"first_lid"`
	LastLID     int               `json:"last_lid"`
}

func newDocument(to mad.Target, a *addresses) *document {
	return &document{diags.DestinationOf(to), a.gid, a.first, a.last}
}
