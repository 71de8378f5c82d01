package sim_test

import (
	"errors"
	"os"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// Losses come and go: at a cable, at a node, for one attribute.
func TestDisturb(t *testing.T) {
	f := line(t)
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	p := must[*sim.Port](t)(s.Attach(nil))
	s1, s2 := switchNode(t, f, "1"), switchNode(t, f, "2")
	near, far := get(nodeInfo, 0, 1), get(nodeInfo, 0, 1, 3)
	text := get(nodeDescription, 0, 1, 3)
	count := func(what string, wantNear, wantFar, wantText int) {
		t.Helper()
		if n, m, d := len(ask(t, p, near, directed)), len(ask(t, p, far, directed)), len(ask(t, p, text, directed)); n != wantNear || m != wantFar || d != wantText {
			t.Errorf("%s: %d, %d and %d replies, want %d, %d and %d", what, n, m, d, wantNear, wantFar, wantText)
		}
	}
	count("sound", 1, 1, 1)
	check(t, s.Disturb(s2, 2, sim.Disturbance{Loss: 1}))
	count("the cable", 1, 0, 0)
	check(t, s.Disturb(s2, 2, sim.Disturbance{Loss: 1, Attr: nodeInfo}))
	count("an attribute", 1, 0, 1)
	check(t, s.Disturb(s2, 2, sim.Disturbance{}))
	check(t, s.Disturb(s1, 0, sim.Disturbance{Loss: 1}))
	if got := s.Disturbance(s1, 0).Loss; got != 1 {
		t.Errorf("loss %v, want 1", got)
	}
	count("the agent", 0, 1, 1)
	check(t, s.Disturb(s1, 0, sim.Disturbance{}))
	count("sound again", 1, 1, 1)
	check(t, s.Disturb(s2, 2, sim.Disturbance{Loss: 0.5}))
	replies := 0
	for range 1000 {
		replies += len(ask(t, p, far, directed))
	}
	if replies < 400 || replies > 600 {
		t.Errorf("%d of 1000 requests got through a loss of one half", replies)
	}
	if err := s.Disturb(s2, 2, sim.Disturbance{Loss: 2}); !errors.Is(err, os.ErrInvalid) {
		t.Errorf("loss 2: %v", err)
	}
	if err := s.Disturb(s2, 99, sim.Disturbance{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("port 99: %v", err)
	}
}

// A bad cable trains lower, until another one is plugged in.
func TestLimitLink(t *testing.T) {
	f := must[*fabric.Fabric](t)(gen.Parse("line?switches=2&speed=hdr"))
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	at := sim.Place{Node: switchNode(t, f, "1"), Port: 3}
	peer, _ := s.Cable(at)
	rate := func(at sim.Place) string {
		v := s.PortInfo(at)
		return fabric.LinkRate{Width: v.LinkWidthActive, Speed: ib.SpeedFrom(v.LinkSpeedActive, v.LinkSpeedExtActive, v.LinkSpeedExtActive2)}.String()
	}
	sound := rate(at)
	for _, c := range []struct {
		limit fabric.LinkRate
		width ib.LinkWidth
		speed uint8
		ext   uint8
	}{
		{fabric.LinkRate{Width: ib.Width1x}, ib.Width1x, 4, 4},
		{fabric.LinkRate{Speed: ib.SpeedEDR}, ib.Width4x, 4, 2},
		{fabric.LinkRate{Width: ib.Width1x, Speed: ib.SpeedSDR}, ib.Width1x, 1, 0},
	} {
		check(t, s.LimitLink(peer, c.limit))
		for _, end := range []sim.Place{at, peer} {
			v := s.PortInfo(end)
			if !s.IsUp(end) || v.LinkWidthActive != c.width || v.LinkSpeedActive != c.speed || v.LinkSpeedExtActive != c.ext || v.State != ib.PortInitialize {
				t.Errorf("limit %s: up %v, state %s, width %s, speed %d, %d", c.limit, s.IsUp(end), v.State, v.LinkWidthActive, v.LinkSpeedActive, v.LinkSpeedExtActive)
			}
		}
	}
	check(t, s.LimitLink(at, fabric.LinkRate{}))
	if got := rate(at); got != sound {
		t.Errorf("without a limit %s, want %s", got, sound)
	}
	check(t, s.LimitLink(at, fabric.LinkRate{Width: ib.Width1x}))
	check(t, s.Unlink(peer))
	check(t, s.Link(at, peer))
	if got := rate(at); got != sound {
		t.Errorf("with another cable %s, want %s", got, sound)
	}
	check(t, s.ResetPort(at))
	if _, ok := s.Cable(peer); ok {
		t.Error("a port that was reset has a cable")
	}
}
