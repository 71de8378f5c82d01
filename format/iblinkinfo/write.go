package iblinkinfo

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/nodenames"
	"github.com/ibscope/ibscope/ib"
)

// Namer names nodes; *nodenames.Map is one.
type Namer interface {
	Name(guid ib.GUID, desc string) string
}

// Options change what is printed. Nil stands for the zero Options.
type Options struct {
	Names Namer // nil prints descriptions, with a blank for what is not printable

	Line       bool // all that belongs to a link on one line
	Down       bool // only ports that are down
	Additional bool // HOQLife and VLStallCount too

	// DownBefore hides ports that are down, and were so in this fabric.
	DownBefore *fabric.Fabric

	Type ib.NodeType // only nodes of this type; 0 for all
}

// Write prints all nodes, in reverse canonical order. The only errors are those
// of w.
func Write(w io.Writer, f *fabric.Fabric, o *Options) error {
	p := newPrinter(w, o)
	for _, n := range slices.Backward(slices.Collect(f.Nodes())) {
		if p.Type == 0 || n.Type() == p.Type {
			p.node(n, "")
		}
	}
	return p.w.Flush()
}

// WriteNode prints one node. The only errors are those of w.
func WriteNode(w io.Writer, n *fabric.Node, o *Options) error {
	p := newPrinter(w, o)
	p.node(n, "")
	return p.w.Flush()
}

type printer struct {
	Options
	w *bufio.Writer
}

func newPrinter(w io.Writer, o *Options) *printer {
	p := &printer{w: bufio.NewWriter(w)}
	if o != nil {
		p.Options = *o
	}
	return p
}

// printf leaves errors to the Flush at the end, which reports them.
func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p *printer) name(n *fabric.Node) string { return NameOf(p.Names, n) }

// NameOf is the name of a node, from a map if there is one, else its description
// made fit for output.
func NameOf(names Namer, n *fabric.Node) string {
	if names == nil {
		return nodenames.Clean(n.Description())
	}
	return names.Name(n.GUID(), n.Description())
}

// node prints a node's ports, and before the first its header.
func (p *printer) node(n *fabric.Node, prefix string) {
	headed := false
	for num := 1; num <= n.NumPorts(); num++ {
		port := n.Port(num)
		if port == nil || p.Down && port.State() != ib.PortDown {
			continue
		}
		if !headed {
			headed = true
			p.header(n, prefix)
		}
		p.port(port, prefix)
	}
}

func (p *printer) header(n *fabric.Node, prefix string) {
	if p.Line {
		return
	}
	switch n.Type() {
	case ib.NodeSwitch:
		p.printf("%sSwitch: 0x%016x %s:\n", prefix, uint64(switchGUID(n)), p.name(n))
	case ib.NodeCA:
		p.printf("%sCA: %s:\n", prefix, p.name(n))
	case ib.NodeRouter:
		p.printf("%sRouter: %s:\n", prefix, p.name(n))
	default:
		p.printf("%s??: %s:\n", prefix, p.name(n))
	}
}

// switchGUID is the port GUID of a switch.
func switchGUID(n *fabric.Node) ib.GUID {
	if zero := n.Port(0); zero != nil {
		return zero.GUID()
	}
	return n.Info().PortGUID
}

// Shows reports whether a port is among those that are printed.
func (o *Options) Shows(port *fabric.Port) bool {
	if o.Type != 0 && port.Node().Type() != o.Type || o.Down && port.State() != ib.PortDown {
		return false
	}
	return !o.hides(port)
}

// hides reports whether a port has been down for long.
func (o *Options) hides(port *fabric.Port) bool {
	if o.DownBefore == nil || port.State() != ib.PortDown {
		return false
	}
	before, ok := o.DownBefore.NodeByGUID(port.Node().GUID())
	if !ok {
		return false
	}
	then := before.Port(port.Num())
	return then != nil && then.State() == ib.PortDown
}

func (p *printer) port(port *fabric.Port, prefix string) {
	if p.hides(port) {
		return
	}
	n := port.Node()
	b := append(p.w.AvailableBuffer(), prefix...)
	switch {
	case p.Line:
		b = append(appendGUID(b, port.GUID()), '"')
		b = append(right(append(b, p.name(n)...), len(b), 30), '"', ' ')
	case n.Type() == ib.NodeSwitch:
		b = append(b, "      "...)
	default:
		b = appendGUID(append(b, "      "...), port.GUID())
	}
	b = append(appendInt(b, int64(port.LID()), 6), ' ')
	b = append(appendInt(b, int64(port.Num()), 4), '[')
	b = append(right(append(b, External(port)...), len(b), 2), "] =="...)
	b = AppendState(b, port)
	if info, _ := port.Info(); p.Additional && port.State() != ib.PortDown {
		b = fmt.Appendf(b, " (HOQ:%d VL_Stall:%d)", info.HOQLife, info.VLStallCount)
	}
	b = append(p.appendRemote(append(b, "==>  "...), port), '\n')
	_, _ = p.w.Write(b) // Flush tells of errors
}

// appendRemote appends the other end of a link.
func (p *printer) appendRemote(b []byte, port *fabric.Port) []byte {
	switch {
	case port.Remote() != nil:
		if p.Line {
			b = appendGUID(b, port.Remote().GUID())
		}
		return appendEnd(b, port, p.Names)
	case port.State() == ib.PortDown:
		return append(b, NoRemote...)
	}
	return append(b, "    \"Port not available\""...)
}

// NoRemote stands in place of Remote for a port without a link.
const NoRemote = `           [  ] "" ( )`

// Remote is the other end of a port's link: GUID, LID, port number and name, and
// what the link could be. The port has a link.
func Remote(port *fabric.Port, names Namer) string {
	return string(appendEnd(appendGUID(nil, port.Remote().GUID()), port, names))
}

// appendEnd appends it from the LID on.
func appendEnd(b []byte, port *fabric.Port, names Namer) []byte {
	far := port.Remote()
	width, speed := Advice(port)
	b = append(appendInt(b, int64(far.LID()), 6), ' ')
	b = append(appendInt(b, int64(far.Num()), 4), '[')
	b = append(right(append(b, External(far)...), len(b), 2), "] \""...)
	b = append(append(b, NameOf(names, far.Node())...), "\" ("...)
	return append(append(append(append(b, width...), ' '), speed...), ')')
}

// External is the number of a port on the front panel of its chassis, "" for none.
func External(p *fabric.Port) string {
	if p.ExternalNum() == 0 {
		return ""
	}
	return strconv.Itoa(p.ExternalNum())
}
