package ownpath_test

import (
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
)

// lidsOf are the LIDs that the subnet manager gave the nodes.
func lidsOf(t *testing.T, client *madrpc.Client) map[ib.GUID]ib.LID {
	t.Helper()
	f, err := discover.Walk(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	lids := make(map[ib.GUID]ib.LID)
	for p := range f.Ports() {
		if p.LID() != 0 {
			lids[p.Node().GUID()] = p.LID()
		}
	}
	return lids
}
