package hostfs

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/umadev"
)

// Host is a machine on a simulated fabric.
type Host struct {
	adapters []*adapter
}

// adapter is a node of the fabric as a device of the machine.
type adapter struct {
	name  string // "mlx5_0"
	node  *fabric.Node
	index int
	ports []*port
}

// port is a port of an adapter, with its device files.
type port struct {
	num   int
	index int // of umadN and issmN
	at    *sim.Port
	smi   *sim.Port // where the packets of a GSI device go; else nil
	umad  *umadev.Device
	issm  *umadev.SMDevice
}

// maxPorts is how many umad devices libibumad looks for.
const maxPorts = 64

// New makes a machine with the given nodes as its adapters; each of their ports
// gets device files of its own. A switch has its port 0 only. No nodes, one
// twice, or more than 64 ports are an Error that wraps os.ErrInvalid.
func New(s *sim.Fabric, nodes []*fabric.Node) (*Host, error) {
	h := &Host{}
	ports := 0
	for i, n := range nodes {
		for _, other := range nodes[:i] {
			if other == n {
				return nil, invalid(n, "the node is named twice")
			}
		}
		if ports += len(numbers(n)); ports > maxPorts {
			return nil, invalid(n, "a machine has at most %d ports", maxPorts)
		}
	}
	if len(nodes) == 0 {
		return nil, &Error{Op: "adapter", Obj: "list", Err: fmt.Errorf("it is empty: %w", os.ErrInvalid)}
	}
	names := adapterNames(nodes)
	ports = 0
	for i, n := range nodes {
		a := &adapter{name: names[i], node: n, index: i}
		h.adapters = append(h.adapters, a)
		for _, num := range numbers(n) {
			a.ports = append(a.ports, &port{num: num, index: ports})
			ports++
		}
	}
	if err := h.open(s); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// open opens all ports. GSI devices come first: requests of general services go
// to whoever is first at a port.
func (h *Host) open(s *sim.Fabric) error {
	for _, wantsGSI := range [...]bool{true, false} {
		for _, a := range h.adapters {
			smi := h.smiOf(a)
			if (smi != nil) != wantsGSI {
				continue
			}
			for _, p := range a.ports {
				if err := p.open(s, a.node, smi); err != nil {
					return &Error{Op: "open", Obj: a.node.GUID().String(), Err: err}
				}
			}
		}
	}
	return nil
}

func (p *port) open(s *sim.Fabric, n, smi *fabric.Node) (err error) {
	if p.at, err = s.AttachAt(n.GUID().String(), p.num); err != nil {
		return err
	}
	p.issm = umadev.NewSM(p.at)
	if smi == nil {
		p.umad = umadev.New(p.at)
		return nil
	}
	if p.smi, err = s.AttachAt(smi.GUID().String(), 0); err != nil {
		return err
	}
	p.umad = umadev.New(&gsiWire{p.smi})
	return nil
}

func invalid(n *fabric.Node, format string, args ...any) error {
	return &Error{Op: "adapter", Obj: n.GUID().String(), Err: fmt.Errorf(format+": %w", append(args, os.ErrInvalid)...)}
}

// numbers lists the ports of a node that software on it manages.
func numbers(n *fabric.Node) []int {
	if n.Type() == ib.NodeSwitch {
		return []int{0}
	}
	list := make([]int, n.NumPorts())
	for i := range list {
		list[i] = i + 1
	}
	return list
}

// adapterNames gives each adapter the name that its description ends with, if
// that is a name of a device and no other has it, else mlx5_N.
func adapterNames(nodes []*fabric.Node) []string {
	names := make([]string, len(nodes))
	taken := map[string]bool{}
	for i, n := range nodes {
		_, name, ok := splitDescription(n.Description())
		if ok && name[0] != 'H' && len(name) < 20 && !taken[name] {
			names[i], taken[name] = name, true
		}
	}
	next := 0
	for i := range names {
		for names[i] == "" {
			if name := "mlx5_" + strconv.Itoa(next); !taken[name] {
				names[i], taken[name] = name, true
			}
			next++
		}
	}
	return names
}

// Names lists the adapters, "mlx5_0" and so on.
func (h *Host) Names() []string {
	var list []string
	for _, a := range h.adapters {
		list = append(list, a.name)
	}
	return list
}

// Close takes the machine off the fabric. Serve its tree no longer then.
func (h *Host) Close() error {
	var errs []error
	for _, a := range h.adapters {
		for _, p := range a.ports {
			if p.umad != nil {
				errs = append(errs, p.umad.Close()) // and the port below it
			}
			if p.at != nil {
				errs = append(errs, p.at.Close())
			}
		}
	}
	return errors.Join(errs...)
}
