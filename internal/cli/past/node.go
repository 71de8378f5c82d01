package past

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/choose"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
)

// maxNamed bounds how many nodes a message names.
const maxNamed = 5

// FindNode finds the one node that a text means: its GUID, its name, or a pattern that
// fits no other. A GUID that the fabric does not have is taken as it is: the node may
// have been there at another time; n is nil then. The error is an *env.ExitError.
func FindNode(f *fabric.Fabric, book *names.Book, text string) (g ib.GUID, n *fabric.Node, err error) {
	if g, err := ib.ParseGUID(text); err == nil && (strings.HasPrefix(text, "0x") || len(text) >= 16) {
		n, _ := f.NodeByGUID(g)
		return g, n, nil
	}
	var found []*fabric.Node
	for n := range f.Nodes() {
		if choose.FitsAny(text, book.All(n)) {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return 0, nil, env.Exitf(env.Failed, "there is no node %q; a node that has gone is found by its GUID", text)
	case 1:
		return found[0].GUID(), found[0], nil
	}
	var list []string
	for _, n := range found[:min(len(found), maxNamed)] {
		list = append(list, fmt.Sprintf("%q (%s)", book.Full(n), n.GUID()))
	}
	return 0, nil, env.Exitf(env.Failed, "%q fits %d nodes: %s", text, len(found), strings.Join(list, ", "))
}
