package ibtracert

import (
	"fmt"

	"github.com/ibscope/ibscope/madrpc/trace"
)

// cText is how C warns of the end of a way, "" where it does not.
func cText(e *trace.Error) string {
	switch e.Reason {
	case trace.EndUnreachable:
		return "can't reach to/from ports"
	case trace.NextUnreachable:
		return fmt.Sprintf("can't reach port at %s", e.Target)
	case trace.BadPort:
		return fmt.Sprintf("Bad port state found: node \"%s\" port %d state %d", e.At.Description.String(), e.At.Num, e.State)
	case trace.BadNextPort:
		return fmt.Sprintf("Bad out port state found: node \"%s\" outport %d state %d", e.At.Description.String(), e.Out, e.State)
	case trace.BadTable:
		return fmt.Sprintf("Bad forwarding table entry found at: node \"%s\" lid entry %d is %d (top %d)",
			e.At.Description.String(), e.LID, e.Out, e.Top)
	case trace.WrongEnd:
		return fmt.Sprintf("can't continue: reached CA or router port %x, lid %d", uint64(e.At.Node.PortGUID), e.At.Port.LID)
	case trace.TooFar:
		return fmt.Sprintf("no route found after %d hops", trace.MaxHops)
	case trace.AdapterItself:
		return "ibtracert from CA to CA is unsupported"
	}
	return ""
}
