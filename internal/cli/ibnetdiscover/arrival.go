package ibnetdiscover

import (
	"fmt"
	"io"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
)

// showArrival prints the line of -s about a NodeInfo that came in.
func showArrival(w io.Writer, a *discover.Arrival) {
	known := "known"
	if a.New {
		known = "new"
	}
	port := int(a.Info.LocalPort)
	if a.Info.NodeType == ib.NodeSwitch {
		port = 0
	}
	fmt.Fprintf(w, "%s -> %s %s {%016x} portnum %d lid %d-%d \"%s\"\n", a.Target, known, typeName(a.Info.NodeType),
		uint64(a.Info.NodeGUID), port, a.LID, int(a.LID)+1<<a.LMC-1, escape.Text(a.Description))
}

// typeName is libibmad's name of a node type.
func typeName(t ib.NodeType) string {
	switch t {
	case ib.NodeCA:
		return "Channel Adapter"
	case ib.NodeSwitch, ib.NodeRouter:
		return t.String()
	}
	return fmt.Sprintf("?(%d)?", t)
}
