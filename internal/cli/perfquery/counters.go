package perfquery

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// runCounters shows and resets PortCounters, or PortCountersExtended with -x.
func (q *query) runCounters(ctx context.Context) error {
	ports, addUp, err := q.eachPort(ctx)
	if err != nil {
		return err
	}
	if ports == nil {
		ports = []uint8{q.port}
	}
	if !q.asked["Reset_only"] {
		if err := q.show(ctx, ports, addUp); err != nil {
			return err
		}
	}
	if !q.asked["Reset_only"] && !q.asked["reset_after_read"] {
		return nil
	}
	for _, port := range ports {
		if err := q.reset(ctx, port); err != nil {
			return err
		}
	}
	return nil
}

func (q *query) fresh() counters {
	if q.asked["extended"] {
		return new(pma.PortCountersExtended)
	}
	return new(pma.PortCounters)
}

// show prints the counters of ports, one by one or the sums.
func (q *query) show(ctx context.Context, ports []uint8, addUp bool) error {
	sum := q.fresh()
	for _, port := range ports {
		v, err := q.read(ctx, port)
		if err != nil {
			return err
		}
		if addUp {
			err = pma.Add(sum, v)
		} else {
			err = q.printCounters(v, port)
		}
		if err != nil {
			return err
		}
	}
	if !addUp {
		return nil
	}
	if err := pma.SelectPort(sum, pma.AllPorts); err != nil {
		return err
	}
	return q.printCounters(sum, pma.AllPorts)
}

func (q *query) read(ctx context.Context, port uint8) (counters, error) {
	v := q.fresh()
	failed := "perfquery"
	if q.asked["extended"] {
		failed = "perfextquery"
		if !q.has(pma.CapExtendedWidth) && !q.has(pma.CapExtendedWidthNoIETF) {
			// The message of C ends in a newline of its own.
			diags.IBWarn(q.env, "dump_perfcounters", "PerfMgt ClassPortInfo CapMask 0x%02X; No extended counter support indicated", q.capMask)
			fmt.Fprintln(q.env.Stderr)
		}
	}
	if err := pma.SelectPort(v, port); err != nil {
		return nil, err
	}
	if err := madrpc.Get(ctx, q.client, q.to, 0, v); err != nil {
		return nil, q.fail(failed, err)
	}
	if p, ok := v.(*pma.PortCounters); ok && !q.has(pma.CapXmitWait) {
		p.XmitWait = 0 // means nothing then
	}
	return v, nil
}

func (q *query) printCounters(v counters, port uint8) error {
	q.noteCounters(v, port)
	x, ok := v.(*pma.PortCountersExtended)
	if !ok {
		return q.print("Port counters", port, fmt.Sprintf(" (CapMask: 0x%02X)", q.capMask), v.AppendDump(nil))
	}
	more := fmt.Sprintf(" (CapMask: 0x%02X CapMask2: 0x%07X)", q.capMask, q.capMask2)
	return q.print("Port extended counters", port, more, q.dumpExtended(x))
}

// dumpExtended prints the counters that the agent says it has.
func (q *query) dumpExtended(x *pma.PortCountersExtended) []byte {
	data, err := x.AppendBinary(nil)
	if err != nil {
		return nil
	}
	var dump []byte
	fields := q.extendedFields(x.Fields())
	for i := range fields {
		dump = fields[i].AppendLine(dump, data)
	}
	return dump
}

// extendedFields are those of the fields that the agent says it has.
func (q *query) extendedFields(all field.Table) field.Table {
	var fields field.Table
	there := true
	for i := range all {
		switch all[i].Go {
		case "UnicastXmitPkts": // and those that follow
			there = q.has(pma.CapExtendedWidth)
		case "CounterSelect2":
			there = q.capMask2&pma.Cap2AdditionalExtCounters != 0
		}
		if there {
			fields = append(fields, all[i])
		}
	}
	return fields
}

// reset resets the counters of a port that the mask selects.
func (q *query) reset(ctx context.Context, port uint8) error {
	text := "perf reset"
	if q.asked["extended"] {
		text = "perf ext reset"
	}
	return q.set(ctx, q.fresh, port, q.resetMask(), text)
}

// resetMask is the mask that was given, or all that the agent has. With -x the
// error counters are always reset, as in C.
func (q *query) resetMask() uint64 {
	mask := uint64(0xffff)
	if q.maskGiven {
		mask = q.mask & 0xffffffff
	}
	wait, dropped := pma.SelectPortCountersXmitWait, pma.SelectPortCountersQP1Dropped
	if q.asked["extended"] {
		mask |= 0xfff0000
		wait, dropped = pma.SelectPortCountersExtendedXmitWait, pma.SelectPortCountersExtendedQP1Dropped
	} else if q.maskGiven {
		wait, dropped = 0, 0
	}
	if q.has(pma.CapXmitWait) {
		mask |= wait
	}
	if q.has(pma.CapQP1Dropped) {
		mask |= dropped
	}
	if mask == 0 {
		return 0xffffffff
	}
	return mask
}
