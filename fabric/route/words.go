package route

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
)

// Text says where the ways of a trouble end, for people. Name names a node.
func (t *Trouble) Text(name func(*fabric.Node) string) string {
	at := name(t.At)
	switch t.End {
	case NoRoute:
		return fmt.Sprintf("the table of %s has no port for it", at)
	case DeadEnd:
		p := t.At.Port(t.Out)
		if p == nil || p.Remote() == nil {
			return fmt.Sprintf("port %d of %s has no link", t.Out, at)
		}
		return fmt.Sprintf("the link at port %d of %s is %s", t.Out, at, p.State())
	case WrongEnd:
		if t.Out == 0 {
			return fmt.Sprintf("%s takes it for its own LID", at)
		}
		return fmt.Sprintf("port %d of %s leads to %s, which does not have it", t.Out, at, name(t.At.Port(t.Out).Remote().Node()))
	case Circle:
		back := t.Way.Steps[t.Way.Back]
		return fmt.Sprintf("comes back to %s after %d hops, for ever", name(back.Node), len(t.Way.Steps)-1-t.Way.Back)
	}
	return string(t.End)
}

// LoopText says of a credit loop that was found on one lane how sure it is. What was
// followed are ways, not service levels: where links have several virtual lanes, packets
// may be on different ones.
func LoopText(loop []Wait) string {
	text := fmt.Sprintf("the %d links wait for each other in a circle", len(loop))
	for _, w := range loop {
		info, known := w.Port.Info()
		if !known || info.OperationalVLs == 0 {
			return text + " if their packets share a virtual lane; how many there are is not known"
		}
		if info.OperationalVLs > 1 {
			return text + " if their packets share a virtual lane; engines as lash, dfsssp and torus-2QoS part them by lanes, which was not looked at"
		}
	}
	return text + ": they have one virtual lane"
}
