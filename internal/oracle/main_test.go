package oracle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/internal/cli"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/survey"
	"github.com/ibscope/ibscope/umad"
)

// TestMain makes the test binary behave as ibscope where a test, or its child, calls
// it so, and as the program that breaks lanes.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "sim", "nodes", "routes":
			os.Exit(cli.Main())
		case "break-lanes":
			if err := breakLanes(context.Background()); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// brokenLanes are SLtoVLMappingTables that were changed: all packets of the crossings
// take one lane.
type brokenLanes struct {
	Tables   int
	Channels []string // as reports write them: "sw0-1[3] VL 1"
}

// breakLanes finds crossings that make a credit loop if all their packets take one
// lane, but not if one of them does not, and sets those tables of the local fabric.
func breakLanes(ctx context.Context) error {
	port, err := umad.Open("", 0)
	if err != nil {
		return err
	}
	defer port.Close()
	c := madrpc.New(port, nil)
	defer c.Close()
	f, err := discover.Walk(ctx, c, nil)
	if err != nil {
		return err
	}
	if _, err = survey.Take(ctx, c, f, &survey.Options{Routes: true}); err != nil {
		return err
	}
	tables, _ := route.TablesOf(f)
	x := route.Examine(f, tables, nil)
	needs := x.LaneNeeds()
	lanes, problems, err := survey.ReadLanes(ctx, c, f, needs, nil)
	if err != nil || len(problems) > 0 {
		return fmt.Errorf("%w %v", err, problems)
	}
	const lane = 1
	wrong := changedLanes{lanes, map[route.Crossing]bool{}, lane}
	for _, c := range needs.Crossings {
		wrong.at[c] = slices.ContainsFunc(x.Loops[0], func(w route.Wait) bool { return w.Port == c.Switch.Port(int(c.Out)) })
	}
	for _, c := range needs.Crossings { // fewer and fewer
		if wrong.at[c] {
			wrong.at[c] = false
			wrong.at[c] = len(x.OnLanes(wrong).Loops) == 0
		}
	}
	return setLanes(ctx, c, needs.Crossings, wrong)
}

// changedLanes have one lane at some crossings.
type changedLanes struct {
	route.Lanes
	at   map[route.Crossing]bool
	lane uint8
}

func (l changedLanes) Lane(c route.Crossing, sl uint8) (uint8, bool) {
	if l.at[c] {
		return l.lane, true
	}
	return l.Lanes.Lane(c, sl)
}

func setLanes(ctx context.Context, c *madrpc.Client, crossings []route.Crossing, wrong changedLanes) error {
	var table smp.SLtoVLMappingTable
	for sl := range table.VLs {
		table.VLs[sl] = wrong.lane
	}
	var b brokenLanes
	for _, at := range crossings {
		if !wrong.at[at] {
			continue
		}
		path, _ := at.Switch.Path()
		if err := madrpc.Set(ctx, c, mad.ByPath(path), smp.SLtoVLModifier(at.In, at.Out), &table); err != nil {
			return err
		}
		b.Tables++
		b.Channels = append(b.Channels, fmt.Sprintf("%s[%d] VL %d", shortName(at.Switch.Description()), at.Out, wrong.lane))
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]brokenLanes{"broken": b})
}

// shortName is the "sw0-1" of "MF0;sw0-1:MQM8700/U1", as reports have it.
func shortName(description string) string {
	_, name, _ := strings.Cut(description, ";")
	name, _, _ = strings.Cut(name, ":")
	return name
}
