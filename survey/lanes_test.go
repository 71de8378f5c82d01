package survey_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/survey"
)

const torus = "torus?dims=4x4&hosts=2"

// onOneLane looks at the forwarding tables of the swept fabric.
func (w *world) onOneLane(t *testing.T) *route.Examination {
	t.Helper()
	if _, err := survey.Take(t.Context(), w.client, w.swept, &survey.Options{Routes: true}); err != nil {
		t.Fatal(err)
	}
	tables, unread := route.TablesOf(w.swept)
	x := route.Examine(w.swept, tables, nil)
	if len(unread) > 0 || len(x.Loops) == 0 {
		t.Fatalf("%d tables are missing, %d loops", len(unread), len(x.Loops))
	}
	return x
}

// TestReadLanes: all that is asked for is there, and as the switches have it.
func TestReadLanes(t *testing.T) {
	w := open(t, torus, true, nil)
	x := w.onOneLane(t)
	needs := x.LaneNeeds()
	changed := needs.Crossings[len(needs.Crossings)/2]
	data := [mad.DataSize]byte{1: 0x05} // service level 3
	at := sim.Place{Node: w.model(t, changed.Switch)}
	if s := w.sim.Direct(at, mad.MethodSet, smp.AttrSLtoVLMappingTable, smp.SLtoVLModifier(changed.In, changed.Out), &data); s != mad.StatusOK {
		t.Fatal(s)
	}
	lanes, problems, err := survey.ReadLanes(t.Context(), w.client, w.swept, needs, nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if lanes.Tables() != len(needs.Crossings) || lanes.Sources() != 32 || lanes.Pairs() != 32*48 || lanes.LevelsInUse() != 1 {
		t.Errorf("%d tables of %d, %d sources, %d pairs, levels %#x", lanes.Tables(), len(needs.Crossings), lanes.Sources(), lanes.Pairs(), lanes.LevelsInUse())
	}
	if lane, known := lanes.Lane(changed, 3); lane != 5 || !known {
		t.Errorf("lane %d, known %v", lane, known)
	}
	for _, from := range needs.Sources {
		for p := range w.swept.Ports() {
			if sure, all := lanes.Levels(from, p.LID()); p.Node().Type() == ib.NodeCA && (sure != 1 || all != 1) {
				t.Errorf("from LID %d to %d: %#x, %#x", from.LID(), p.LID(), sure, all)
			}
		}
	}
	if l := x.OnLanes(lanes); len(l.Loops) != len(x.Loops) || len(l.Possible)+len(l.Drops) != 0 {
		t.Errorf("one level for all parts nothing: %+v", l)
	}
}

// TestReadLanesSilent: a switch that does not tell its tables makes loops possible, and
// costs few requests.
func TestReadLanesSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t, torus, true, func(f *fabric.Fabric) (list []sim.Fault) {
			for sw := range f.Switches() {
				list = append(list, sim.Fault{Kind: sim.DeadSMA, Node: sw.GUID(), Attr: smp.AttrSLtoVLMappingTable})
			}
			return list
		})
		x := w.onOneLane(t)
		lanes, problems, err := survey.ReadLanes(t.Context(), w.client, w.swept, x.LaneNeeds(), nil)
		if err != nil || lanes.Tables() != 0 || lanes.Sources() != 32 || len(problems) != 16 {
			t.Fatalf("%v, %d tables, %d sources, %d problems", err, lanes.Tables(), lanes.Sources(), len(problems))
		}
		for _, p := range problems {
			if p.Attr != smp.AttrSLtoVLMappingTable || p.Kind != fabric.NoReply {
				t.Error(p)
			}
		}
		if l := x.OnLanes(lanes); len(l.Loops) != 0 || len(l.Possible) != len(x.Loops) {
			t.Errorf("%d loops, %d possible", len(l.Loops), len(l.Possible))
		}
	})
}

// TestReadLanesWithoutManager: a manager that does not answer is given up.
func TestReadLanesWithoutManager(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t, torus, false, nil)
		needs := w.onOneLane(t).LaneNeeds()
		lanes, problems, err := survey.ReadLanes(t.Context(), w.client, w.swept, needs, nil)
		if err != nil || lanes.Sources() != 0 || len(problems) < 4 || len(problems) > 6 || problems[0].Attr != sa.AttrPathRecord {
			t.Errorf("%v, %d sources, %v", err, lanes.Sources(), problems)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var e *survey.Error
		if _, _, err = survey.ReadLanes(ctx, w.client, w.swept, needs, nil); !errors.Is(err, context.Canceled) || !errors.As(err, &e) {
			t.Error(err)
		}
	})
}

// TestReadLanesNothing: without a loop nothing is asked.
func TestReadLanesNothing(t *testing.T) {
	lanes, problems, err := survey.ReadLanes(t.Context(), nil, nil, &route.LaneNeeds{}, nil)
	if err != nil || len(problems) != 0 || lanes.Sources() != 0 {
		t.Error(err, problems)
	}
}
