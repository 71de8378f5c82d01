package ibqueryerrors

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// report is what there is to say of one node. Nodes are asked at the same time;
// the texts wait for their turn.
type report struct {
	*session
	ctx  context.Context
	node *fabric.Node
	name string

	env         *env.Env // writes to told
	out, told   bytes.Buffer
	headed      bool
	skipped     bool // not of a type that is wanted
	ports, bad  int
	unanswered  int
	isBad       bool
	to          mad.Target
	capMask     uint16
	additional  bool // error counters of 64 bits
	allAtOnce   bool
	hasExtended bool
}

// agent is whom to ask about a port, and how to send it there.
func (r *report) agent(p *fabric.Port) mad.Target {
	lid := p.LID()
	return mad.Target{LID: lid, SL: r.levels[lid]}
}

// first is the port by which the node is asked what it can do.
func (r *report) first() (*fabric.Port, int) {
	from := 1
	if r.node.Type() == ib.NodeSwitch {
		from = 0
	}
	for num := from; num <= r.node.NumPorts(); num++ {
		if p := r.node.Port(num); p != nil {
			return p, num * from // a switch is asked for port 0
		}
	}
	return nil, 0
}

func (r *report) run() {
	if len(r.types) > 0 && !slices.Contains(r.types, r.node.Type()) {
		r.skipped = true
		return
	}
	p, num := r.first()
	if p == nil {
		return
	}
	r.to = r.agent(p)
	r.learn(num)
	if r.allAtOnce && !r.asked["counters"] && !r.errors(int(pma.AllPorts)) {
		r.ports += r.node.NumPorts()
	} else {
		r.eachPort()
	}
	if r.allAtOnce {
		r.clear(int(pma.AllPorts))
	}
}

func (r *report) eachPort() {
	first := 1
	if info, ok := r.node.SwitchInfo(); ok && info.EnhancedPort0 && r.node.Type() == ib.NodeSwitch {
		first = 0
	}
	for num := first; num <= r.node.NumPorts(); num++ {
		p := r.node.Port(num)
		if p == nil {
			continue
		}
		r.to = r.agent(p)
		if r.asked["counters"] {
			r.data(num)
		} else {
			r.errors(num)
		}
		r.ports++
		if !r.allAtOnce {
			r.clear(num)
		}
	}
}

// learn asks what the agent can do.
func (r *report) learn(num int) {
	var info pma.ClassPortInfo
	err := madrpc.Get(r.ctx, r.client, r.to, 0, &info, func(p *mad.Packet) { p.Data()[1] = uint8(num) })
	if err != nil {
		r.unansweredBy(err, "query_cap_mask", "classportinfo", num)
		return
	}
	r.capMask = info.CapMask
	r.allAtOnce = info.CapMask&pma.CapAllPortSelect != 0
	r.hasExtended = info.CapMask&(pma.CapExtendedWidth|pma.CapExtendedWidthNoIETF) != 0
	r.additional = r.hasExtended && info.CapMask2&pma.Cap2AdditionalExtCounters != 0
}

// unansweredBy tells that an agent did not answer, and why.
func (r *report) unansweredBy(err error, function, what string, num int) {
	var status mad.Status
	if !errors.As(err, &status) {
		diags.IBWarn(r.env, "mad_rpc", "_do_madrpc failed; dport (%v)", r.to)
	}
	diags.IBWarn(r.env, function, "%s query failed on %s, %v port %d", what, r.name, r.to, num)
	r.env.Complain("%v", err)
	r.unanswered++
}

type counters interface {
	madrpc.Attribute
	field.Value
}

func (r *report) read(v counters, num int, function, what string) bool {
	err := pma.SelectPort(v, uint8(num))
	if err == nil {
		err = madrpc.Get(r.ctx, r.client, r.to, 0, v)
	}
	if err != nil {
		r.unansweredBy(err, function, what, num)
	}
	return err == nil
}

// printf adds to the output.
func (r *report) printf(format string, args ...any) { fmt.Fprintf(&r.out, format, args...) }

// link prints the link of a port, for -r.
func (r *report) link(num int) {
	p := r.node.Port(num)
	if p == nil || !r.asked["report-port"] {
		return
	}
	remote := format.NoRemote
	if p.Remote() != nil {
		remote = format.Remote(p, r.names)
	}
	r.printf("       Link info: %6d%4d[%2s] ==%s==>  %s\n", p.LID(), num, format.External(p), format.State(p), remote)
}

// clear resets what -k and -K ask for.
func (r *report) clear(num int) {
	errs, counts := r.asked["clear-errors"], r.asked["clear-counts"]
	var mask, extended uint64
	if errs {
		mask = 0xfff
		if r.additional {
			extended = 0xfff0000
		}
		if r.capMask&pma.CapXmitWait != 0 {
			mask |= pma.SelectPortCountersXmitWait
			if r.additional {
				extended |= pma.SelectPortCountersExtendedXmitWait
			}
		}
	}
	if counts {
		mask |= 0xf000
		if r.hasExtended {
			extended |= 0xf
		}
		if r.capMask&pma.CapExtendedWidth != 0 {
			extended |= 0xff
		}
	}
	if !r.reset(new(pma.PortCounters), num, mask) {
		fmt.Fprintf(&r.told, "Failed to reset errors %s port %d\n", r.name, num)
	}
	if errs && r.asked["details"] {
		r.reset(new(pma.PortXmitDiscardDetails), num, 0xf)
		r.reset(new(pma.PortRcvErrorDetails), num, 0x3f)
	}
	if !r.reset(new(pma.PortCountersExtended), num, extended) {
		fmt.Fprintf(&r.told, "Failed to reset extended data counters %s, %v port %d\n", r.name, r.to, num)
	}
}

// reset resets counters, or with --dry-run shows which; a mask of 0 is nothing to do.
func (r *report) reset(v counters, num int, mask uint64) bool {
	switch {
	case mask == 0:
		return true
	case r.asked[diags.DryRunOption.Long]:
		return r.plan(v, uint8(num), mask) == nil
	}
	return pma.SelectCounters(v, uint8(num), mask) == nil && madrpc.Set(r.ctx, r.client, r.to, 0, v) == nil
}
