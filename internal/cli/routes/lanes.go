package routes

import (
	"context"
	"fmt"
	"math/bits"
	"strings"

	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/survey"
)

// onLanes is what virtual lanes make of the credit loops of one lane.
type onLanes struct {
	*route.LaneExamination
	read    *route.LaneTables // nil where there was no loop on one lane: nothing is asked
	oneLane int               // loops on one lane
}

// readLanes reads what decides on the lanes of packets, and puts the loops on lanes in
// the place of those on one lane. Where nothing could be read those stay.
func (x *examined) readLanes(ctx context.Context, v *sweep.Visited) error {
	if v.Client == nil {
		return env.Exitf(env.Usage, "--lanes: %s is stored, and has no service levels and SLtoVL tables; they are read of a live fabric", v.URI)
	}
	if len(x.Loops) == 0 {
		x.lanes = &onLanes{LaneExamination: &route.LaneExamination{}}
		return nil
	}
	read, problems, err := survey.ReadLanes(ctx, v.Client, v.Fabric, x.LaneNeeds(), nil)
	x.r.Problems = append(x.r.Problems, report.Problems(problems)...)
	if err != nil {
		x.r.Problems = append(x.r.Problems, report.Lost(err))
	}
	if read.Sources() == 0 {
		return nil
	}
	x.lanes = &onLanes{LaneExamination: x.OnLanes(read), read: read, oneLane: len(x.Loops)}
	x.Loops = x.lanes.Loops
	return nil
}

// laneFindings are what only lanes tell: loops that are not sure, and packets that are
// dropped for their lane.
func (x *examined) laneFindings() {
	if x.lanes == nil {
		return
	}
	for _, loop := range x.lanes.Possible {
		x.laneLoop("possible-credit-loop", loop, "may wait for each other in a circle: it needs service levels or SLtoVL tables that could not be read")
	}
	for _, d := range x.lanes.Drops {
		x.row("no-lane", d.Switch, int(d.Out), []ib.LID{d.LID}, 0)
		x.way(nil, x.destination(d.LID), x.hop(d.Switch, int(d.Out)), dropText(&d))
	}
}

func dropText(d *route.Drop) string {
	text := fmt.Sprintf("packets with SL %d that come in by port %d are dropped: the SLtoVL table has VL %d for them", d.SL, d.In, d.Lane)
	if info, known := d.Switch.Port(int(d.Out)).Info(); known && d.Lane < 15 {
		text += fmt.Sprintf(", and the link has %s", info.OperationalVLs)
	}
	return text
}

// laneLoop adds a loop with the lane that each of its links waits on.
func (x *examined) laneLoop(kind string, loop []route.Wait, end string) {
	first := loop[0].Port
	x.row(kind, first.Node(), first.Num(), nil, len(loop))
	var list []string
	for _, w := range loop {
		list = append(list, fmt.Sprintf("%s VL %d (SL %d to LID %d)", x.hop(w.Port.Node(), w.Port.Num()), w.Lane, w.SL, w.LID))
	}
	x.way(nil, "", strings.Join(list, " → "), fmt.Sprintf("the %d links %s", len(loop), end))
}

// laneSummary says what was looked at, and what lanes have parted.
func (x *examined) laneSummary() string {
	l := x.lanes
	switch {
	case l == nil && len(x.Loops) > 0:
		return ", on one virtual lane"
	case l == nil:
		return ""
	case l.read == nil:
		return ", on any virtual lane"
	}
	text := fmt.Sprintf(" on the virtual lanes that %d paths with %s take, where one lane would have %d",
		l.read.Pairs(), levels(l.read.LevelsInUse()), l.oneLane)
	if n := len(l.Possible); n > 0 {
		text += fmt.Sprintf("; %d more are possible, for what could not be read", n)
	}
	return text
}

// levels names service levels: "SL 0", "SL 0, 1, 2".
func levels(mask uint16) string {
	var list []string
	for sl := range 16 {
		if mask>>sl&1 != 0 {
			list = append(list, fmt.Sprint(sl))
		}
	}
	if len(list) == 0 {
		return "no SL"
	}
	return "SL " + strings.Join(list, ", ")
}

// laneCounts are there when lanes were looked at.
func (x *examined) laneCounts() []report.Count {
	if x.lanes == nil {
		return nil
	}
	list := []report.Count{
		{Name: "credit_loops_on_one_lane", N: x.lanes.oneLane},
		{Name: "possible_credit_loops", N: len(x.lanes.Possible)},
		{Name: "dropped_by_lane", N: len(x.lanes.Drops)},
	}
	if read := x.lanes.read; read != nil {
		list = append(list,
			report.Count{Name: "service_levels", N: bits.OnesCount16(read.LevelsInUse())},
			report.Count{Name: "paths", N: read.Pairs()},
			report.Count{Name: "sl_to_vl_tables", N: read.Tables()})
	}
	return list
}
