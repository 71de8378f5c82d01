package ibcheck

import (
	"context"
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// place is a node to look at.
type place struct {
	to   mad.Target
	lid  string       // as it is printed
	node *fabric.Node // as it was just swept; nil when it is to be asked
}

// checkFunc is one of the checks. It may be called by several goroutines.
type checkFunc = func(*checker, context.Context, place, int) *outcome

// checker asks.
type checker struct {
	client *madrpc.Client
	limits thresholds
}

// node checks that a node answers.
func (k *checker) node(ctx context.Context, at place, _ int) *outcome {
	o := &outcome{Check: "node", LID: at.lid, head: "Node check lid " + at.lid}
	if o.err = errNoLID; at.to.LID != 0 {
		_, o.err = madrpc.GetSMP[smp.NodeInfo](ctx, k.client, at.to, 0)
	}
	if o.Passed = o.err == nil; !o.Passed {
		o.unreachable()
	}
	return o
}

// unreachable makes the outcome that of an address that leads nowhere, which the
// scripts look at before all else.
func (o *outcome) unreachable() {
	o.Check, o.head = "address", fmt.Sprintf("lid %s address resolution", o.LID)
}

// errNoLID: a node can only be reached by a LID here.
var errNoLID = errors.New("not asked, because the node has no LID")

// portInfo gives the PortInfo of a port; false if it cannot be had.
func (k *checker) portInfo(ctx context.Context, at place, num int, o *outcome) (info smp.PortInfo, ok bool) {
	if at.node != nil {
		if p := at.node.Port(num); p != nil {
			if info, ok = p.Info(); ok {
				return info, true
			}
		}
	}
	info, o.err = madrpc.GetSMP[smp.PortInfo](ctx, k.client, at.to, uint32(num))
	return info, o.err == nil
}

// onPort makes the outcome of a check of PortInfo.
func (k *checker) onPort(ctx context.Context, at place, num int, check string, look func(*smp.PortInfo, *outcome)) *outcome {
	o := &outcome{Check: check, LID: at.lid, Port: &num, head: fmt.Sprintf("Port check lid %s port %d", at.lid, num)}
	if info, ok := k.portInfo(ctx, at, num, o); ok {
		look(&info, o)
		o.Passed = len(o.Findings) == 0
	}
	return o
}

func (k *checker) port(ctx context.Context, at place, num int) *outcome {
	return k.onPort(ctx, at, num, "port", func(info *smp.PortInfo, o *outcome) {
		if lookAtState(info, o, num) && info.LinkWidthActive == ib.Width1x {
			o.narrow(num)
		}
	})
}

func (k *checker) state(ctx context.Context, at place, num int) *outcome {
	return k.onPort(ctx, at, num, "state", func(info *smp.PortInfo, o *outcome) { lookAtState(info, o, num) })
}

func (k *checker) width(ctx context.Context, at place, num int) *outcome {
	return k.onPort(ctx, at, num, "width", func(info *smp.PortInfo, o *outcome) {
		if info.LinkWidthActive == ib.Width1x && info.LinkWidthSupported != ib.Width1x {
			o.narrow(num)
		}
	})
}

// lookAtState reports whether there is a link at all: where there is none, that is
// all there is to say.
func lookAtState(info *smp.PortInfo, o *outcome, num int) bool {
	if info.PhysState != ib.PhysLinkUp {
		o.Findings = []finding{{
			What: "phys_state", Is: info.PhysState.String(),
			line: fmt.Sprintf("#error: Physical link state is %s  lid %s port %d", info.PhysState, o.LID, num),
		}}
		return false
	}
	if info.State != ib.PortActive {
		o.Findings = append(o.Findings, finding{
			What: "state", Is: info.State.String(),
			line: fmt.Sprintf("#warn: Logical link state is %s  lid %s port %d", info.State, o.LID, num),
		})
	}
	return true
}

func (o *outcome) narrow(num int) {
	o.Findings = append(o.Findings, finding{
		What: "width", Is: ib.Width1x.String(),
		line: fmt.Sprintf("#warn: Link configured as 1X  lid %s port %d", o.LID, num),
	})
}

// allPorts stands for all ports of a node together.
const allPorts = int(pma.AllPorts)

// errNoAllPorts: an agent cannot tell the counters of all ports together.
var errNoAllPorts = errors.New("AllPortSelect not supported")

// counters reads PortCounters of a port, or of all together, and the agent's
// capability mask.
func (k *checker) counters(ctx context.Context, at place, num int) (c pma.PortCounters, capMask uint16, err error) {
	if at.to.LID == 0 {
		return c, 0, errNoLID
	}
	var class pma.ClassPortInfo
	err = madrpc.Get(ctx, k.client, at.to, 0, &class, func(p *mad.Packet) { p.Data()[1] = uint8(num) })
	if err != nil {
		return c, 0, err
	}
	if num == allPorts && class.CapMask&pma.CapAllPortSelect == 0 {
		return c, class.CapMask, errNoAllPorts
	}
	c.PortSelect = uint8(num)
	return c, class.CapMask, madrpc.Get(ctx, k.client, at.to, 0, &c)
}

// name is the description of a node, for the line of a result.
func (k *checker) name(ctx context.Context, at place) string {
	if at.node != nil {
		return at.node.Description()
	}
	d, err := madrpc.GetSMP[smp.NodeDescription](ctx, k.client, at.to, 0)
	if err != nil {
		return ""
	}
	return d.String()
}

func portName(num int) string {
	if num == allPorts {
		return "all"
	}
	return fmt.Sprint(num)
}

// errors checks the error counters.
func (k *checker) errors(ctx context.Context, at place, num int) *outcome {
	o := &outcome{Check: "errors", LID: at.lid, Port: &num}
	o.head = fmt.Sprintf("Error check on lid %s (%s) port %s", at.lid, k.name(ctx, at), portName(num))
	c, _, err := k.counters(ctx, at, num)
	switch {
	case errors.Is(err, errNoAllPorts):
		o.Passed, o.Note = true, err.Error()
		return o
	case err != nil:
		o.err = err
		return o
	}
	for i := range k.limits {
		t := &k.limits[i]
		if v := t.value(&c); t.limit > 0 && v >= t.limit {
			o.Findings = append(o.Findings, finding{
				What: "counter", Counter: t.name, Value: &v, Threshold: &t.limit,
				line: fmt.Sprintf("#warn: counter %s = %d \t(threshold %d) lid %s port %d", t.name, v, t.limit, at.lid, num),
			})
		}
	}
	o.Passed = len(o.Findings) == 0
	return o
}

// data reads the counters of data and packets.
func (k *checker) data(ctx context.Context, at place, num int) *outcome {
	o := &outcome{Check: "data", LID: at.lid, Port: &num}
	o.head = fmt.Sprintf("Error on lid %s (%s) port %s", at.lid, k.name(ctx, at), portName(num))
	c, capMask, err := k.counters(ctx, at, num)
	if errors.Is(err, errNoAllPorts) {
		o.Passed, o.Note = true, err.Error()
		return o
	}
	if o.err = err; err != nil {
		return o
	}
	o.Passed = true
	o.Counters = &counts{c.XmitData, c.RcvData, c.XmitPkts, c.RcvPkts}
	o.lines = []string{fmt.Sprintf("# Port counters: %s port %d (CapMask: 0x%02X)", at.to, num, capMask)}
	for _, v := range []struct {
		name  string
		value uint32
	}{{"PortXmitData", c.XmitData}, {"PortRcvData", c.RcvData}, {"PortXmitPkts", c.XmitPkts}, {"PortRcvPkts", c.RcvPkts}} {
		o.lines = append(o.lines, fmt.Sprintf("%s:.........................%d", v.name, v.value))
	}
	return o
}
