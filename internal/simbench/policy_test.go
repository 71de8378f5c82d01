package simbench

import (
	"testing"
	"time"
)

// TestPolicies compares the adaptive policy with fixed windows; see compare. The
// larger fabrics are TestGrid's.
func TestPolicies(t *testing.T) {
	f := model(t, "272")
	for _, c := range Around("272") {
		rows := measureAll(t, f, c)
		compare(t, rows)
		compareBound(t, &rows[len(rows)-1])
	}
	f = model(t, "1407")
	for _, change := range []func(*Case){
		func(c *Case) { c.Queue = 8 },
		func(c *Case) { c.Queue, c.SMA = 8, 100*time.Microsecond },
		func(c *Case) { c.Dead, c.Loss = 10, 0.001 },
	} {
		c := usual("1407")
		change(&c)
		compare(t, measureAll(t, f, c))
	}
}

// TestAgainstLibibnetdisc: with nothing in the way a sweep is 20 times as fast as
// libibnetdisc with its defaults, and near to what can be.
func TestAgainstLibibnetdisc(t *testing.T) {
	f := model(t, "1407")
	ours := Measure(t, f, usual("1407"), Adaptive())
	theirs := Measure(t, f, usual("1407"), Reference())
	t.Logf("%v\n%v", &ours, &theirs)
	if !ours.Complete() || !theirs.Complete() {
		t.Error("something is missing")
	}
	if 20*ours.Duration > theirs.Duration {
		t.Errorf("%v instead of %v", ours.Duration, theirs.Duration)
	}
	if float64(ours.Duration) > 1.5*float64(ours.Bound) || ours.Duration < ours.Bound {
		t.Errorf("%v, the bound is %v", ours.Duration, ours.Bound)
	}
}

// TestReference: the reference sends what libibnetdisc sends: as many requests as it
// reports for this fabric, by the formula that its code gives.
func TestReference(t *testing.T) {
	f := model(t, "702")
	r := Measure(t, f, usual("702"), Reference())
	switches, hosts, ports, links := 0, 0, 0, 0
	for n := range f.Switches() {
		switches++
		ports += n.NumPorts()
		for p := range n.Ports() {
			if p.Remote() != nil {
				links++
			}
		}
	}
	for range f.CAs() {
		hosts++
	}
	// NodeInfo of the start and to its switch; of switches three attributes, PortInfo
	// of all ports, NodeInfo behind all that are up but the one that was entered by;
	// of hosts a description and a PortInfo.
	if want := 1 + 1 + 3*switches + ports + links - switches + 2*hosts; int(r.Stats.Sent) != want {
		t.Errorf("%d SMPs, want %d", r.Stats.Sent, want)
	}
}

// TestDeadPorts: a hundred dead ports cost two seconds at most.
func TestDeadPorts(t *testing.T) {
	f := model(t, "1407")
	for _, loss := range []float64{0, 0.01} {
		c := usual("1407")
		c.Loss = loss
		sound := Measure(t, f, c, Adaptive())
		c.Dead = 100
		r := Measure(t, f, c, Adaptive())
		t.Logf("%v", &r)
		if !r.Complete() {
			t.Errorf("%d nodes and %d links are missing", r.MissingNodes, r.MissingLinks)
		}
		if more := r.Duration - sound.Duration; more > 2*time.Second {
			t.Errorf("%v more", more)
		}
	}
}
