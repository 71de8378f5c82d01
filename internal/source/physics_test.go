package source

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// physicsOf reads the arguments of a line of two switches.
func physicsOf(query string) (*sim.Options, *URI, error) {
	u, err := Parse("sim:line?switches=2&" + query)
	if err != nil {
		return nil, u, err
	}
	own, rest := splitSimArguments(u.Query)
	o, err := simOptions(u, own)
	if err != nil {
		return nil, u, err
	}
	d, err := simModel(u, rest)
	if err != nil {
		return nil, u, err
	}
	f := d.Fabric
	if err := simPhysics(u, own, f, o); err != nil {
		return nil, u, err
	}
	_, err = sim.New(f, o)
	return o, u, err
}

func TestPhysics(t *testing.T) {
	u, err := Parse("sim:line?switches=2")
	if err != nil {
		t.Fatal(err)
	}
	d, err := simModel(u, u.Query)
	if err != nil {
		t.Fatal(err)
	}
	f := d.Fabric
	var switches []ib.GUID
	var name string
	for n := range f.Switches() {
		switches = append(switches, n.GUID())
		name = n.Description()
	}
	first, second := switches[0], switches[1]
	const us = time.Microsecond
	typical := sim.Typical()
	for query, want := range map[string]sim.Options{
		"seed=1":           {Seed: 1},
		"hop=200ns":        {HopLatency: 200},
		"physics=none":     {},
		"physics=typical":  {HopLatency: sim.TypicalHop, Physics: typical},
		"sma=20us&queue=8": {Physics: &sim.Physics{SMA: sim.Service{Time: 20 * us, Queue: 8}}},
		"physics=typical&hop=0s&sma=1ms&gsa=2ms&gsa-queue=0&packet=0s": {
			Physics: &sim.Physics{SMA: sim.Service{Time: 1000 * us, Queue: typical.SMA.Queue}, GSA: sim.Service{Time: 2000 * us}},
		},
		"dup=1%&corrupt=2%&jitter=3us&reorder=0.5&link-loss=4%": {Physics: &sim.Physics{
			Agents: sim.Quality{Duplicate: 0.01, Corrupt: 0.02, Jitter: 3 * us, Reorder: 0.5}, Links: sim.Quality{Loss: 0.04},
		}},
		"reorder=1%": {Physics: &sim.Physics{Agents: sim.Quality{Jitter: 100 * us, Reorder: 0.01}}},
		"sma=1us&slow=" + first.String() + ":10x," + second.String() + ":2": {Physics: &sim.Physics{
			SMA: sim.Service{Time: us}, Parts: []sim.Part{{Node: first, Slow: 10}, {Node: second, Slow: 2}},
		}},
		"lossy=" + first.String() + "/2:1%&delay=" + first.String() + ":1ms": {Physics: &sim.Physics{Parts: []sim.Part{
			{Node: first, Port: 2, Quality: sim.Quality{Loss: 0.01}}, {Node: first, Delay: 1000 * us},
		}}},
		"flap=" + first.String() + "/2:10s," + second.String() + "/1:1m:90%": {Physics: &sim.Physics{Parts: []sim.Part{
			{Node: first, Port: 2, Period: 10 * time.Second}, {Node: second, Port: 1, Period: time.Minute, Up: 0.9},
		}}},
		"dead=" + first.String() + "," + second.String() + "/2&mute=" + first.String() + "&lie=" + second.String() + ":0x17": {
			Faults: []sim.Fault{
				{Kind: sim.DeadNode, Node: first},
				{Kind: sim.DeadPort, Node: second, Port: 2},
				{Kind: sim.DeadSMA, Node: first},
				{Kind: sim.WrongNodeGUID, Node: second, GUID: 0x17},
			},
		},
		// A description with a colon, a slash and a semicolon.
		"delay=" + escape(name) + "/1:1ms": {Physics: &sim.Physics{Parts: []sim.Part{{Node: second, Port: 1, Delay: 1000 * us}}}},
	} {
		got, _, err := physicsOf(query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

// escape puts a description into a URI.
func escape(text string) string {
	var out []byte
	for _, c := range []byte(text) {
		if c == ';' {
			out = append(out, "%3B"...)
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

func TestPhysicsErrors(t *testing.T) {
	for _, test := range []struct {
		query, part string
		is          error
	}{
		{"physics=real", "argument physics", nil},
		{"hop=1", "argument hop", nil},
		{"sma=-1us", "argument sma", nil},
		{"sma=1us&queue=-1", "argument queue", nil},
		{"queue=8", "argument queue", nil},
		{"gsa-queue=8", "argument gsa-queue", nil},
		{"dup=2", "argument dup", nil},
		{"slow=nobody:10x", "argument slow", fs.ErrNotExist},
		{"slow=node0001 mlx5_0:10x", "argument slow", nil},
		{"sma=1us&slow=node0001 mlx5_0:fast", "argument slow", nil},
		{"sma=1us&slow=node0001 mlx5_0", "argument slow", nil},
		{"flap=node0001 mlx5_0/3:1s", "argument flap", fs.ErrNotExist},
		{"flap=node0001 mlx5_0/1:soon", "argument flap", nil},
		{"flap=", "argument flap", fs.ErrNotExist},
		{"lie=node0001 mlx5_0:x", "argument lie", nil},
	} {
		_, _, err := physicsOf(test.query)
		var e *Error
		if !errors.As(err, &e) || e.Part != test.part || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %v, want an error about %s", test.query, err, test.part)
		}
	}
	_, _, err := physicsOf("smaa=1us")
	if err == nil || !strings.Contains(err.Error(), "smaa") || !strings.Contains(err.Error(), ", sma, queue,") || !strings.Contains(err.Error(), "switches") {
		t.Errorf("an argument that is not known: %v", err)
	}
	// What only the simulator sees.
	for _, query := range []string{"flap=node0001 mlx5_0:1s", "flap=node0001 mlx5_0/1:1us", "flap=node0001 mlx5_0/1:1s:100%", "sma=2h"} {
		var e *sim.Error
		if _, _, err := physicsOf(query); !errors.As(err, &e) {
			t.Errorf("%s: %v", query, err)
		}
	}
}
