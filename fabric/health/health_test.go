package health

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/gen"
)

// TestCleanFabrics: generated fabrics have nothing wrong.
func TestCleanFabrics(t *testing.T) {
	texts := []string{"fattree?levels=2&radix=8", "fattree?levels=3&radix=8", "fattree?levels=2&radix=8&hosts=14"}
	for _, g := range gen.Generators() {
		texts = append(texts, g.Name)
	}
	for _, text := range texts {
		t.Run(text, func(t *testing.T) {
			f := generate(t, text)
			o := &Options{CountedPorts: 1}
			if strings.HasPrefix(text, "fattree?") || text == "subnets" { // others have credit loops
				tables, err := route.New(f, route.Suggest(f, nil), nil)
				if err != nil {
					t.Fatal(err)
				}
				o.Routes = route.Examine(f, tables, nil)
			}
			r := Examine(f, o)
			for i := range r.Findings[:min(len(r.Findings), 10)] {
				t.Errorf("%v %q", &r.Findings[i], r.Findings[i].Evidence)
			}
			if r.Verdict() != Healthy {
				t.Errorf("the verdict is %s", r.Verdict())
			}
		})
	}
}

// Ports of "fattree?levels=2&radix=8": by the words of its generator.
func is(p *fabric.Port, name string, num int) bool {
	return p.Num() == num && strings.Contains(p.Node().Description(), name)
}

func linkAt(name string, num int) func(fabric.Link) bool {
	return func(l fabric.Link) bool { return is(l.A, name, num) || is(l.B, name, num) }
}

func change(name string, num int, to func(*smp.PortInfo)) *fault {
	return &fault{port: func(p *fabric.Port, info *smp.PortInfo) {
		if is(p, name, num) {
			to(info)
		}
	}}
}

// both changes both ends of the link of an adapter.
func both(name string, to func(*smp.PortInfo)) *fault {
	return &fault{port: func(p *fabric.Port, info *smp.PortInfo) {
		if is(p, name, 1) || p.Remote() != nil && is(p.Remote(), name, 1) {
			to(info)
		}
	}}
}

var faults = []struct {
	name    string
	fabric  string
	fault   *fault
	want    []string // "severity kind: text"
	verdict Verdict
}{
	{
		"narrow", "", both("node0003", func(i *smp.PortInfo) { i.LinkWidthActive = ib.Width1x }),
		[]string{"error narrow: MF0;leaf01:MQM8700/U1 port 3 – node0003 mlx5_0 port 1"},
		Degraded,
	},
	{
		"slow", "", both("node0003", func(i *smp.PortInfo) { i.LinkSpeedExtActive = 2 }),
		[]string{"warning slow: MF0;leaf01:MQM8700/U1 port 3 – node0003 mlx5_0 port 1"},
		Degraded,
	},
	{
		"rates disagree", "", change("node0003", 1, func(i *smp.PortInfo) { i.LinkWidthActive = ib.Width1x }),
		[]string{"error rates-disagree: MF0;leaf01:MQM8700/U1 port 3 – node0003 mlx5_0 port 1"},
		Degraded,
	},
	{
		"armed", "", both("node0003", func(i *smp.PortInfo) { i.State = ib.PortArmed }),
		[]string{"error not-active: MF0;leaf01:MQM8700/U1 port 3 – node0003 mlx5_0 port 1"},
		Degraded,
	},
	{
		"states disagree", "", change("node0003", 1, func(i *smp.PortInfo) { i.State = ib.PortInitialize }),
		[]string{"error states-disagree: MF0;leaf01:MQM8700/U1 port 3 – node0003 mlx5_0 port 1"},
		Degraded,
	},
	{
		"no LID", "", change("node0003", 1, func(i *smp.PortInfo) { i.LID = 0 }),
		[]string{"critical no-lid: node0003"},
		Failing,
	},
	{
		"one LID twice", "", change("node0003", 1, func(i *smp.PortInfo) { i.LID = 1 }),
		[]string{"critical duplicate-lid: LID 1 is that of"},
		Failing,
	},
	{
		"MTU", "", change("node0003", 1, func(i *smp.PortInfo) { i.NeighborMTU = ib.MTU256 }),
		[]string{"error mtu-mismatch: MF0;leaf01:MQM8700/U1 port 3 – node0003 mlx5_0 port 1"},
		Degraded,
	},
	{
		"low MTU", "", both("node0003", func(i *smp.PortInfo) { i.NeighborMTU = ib.MTU256 }),
		[]string{"note mtu-low: 1 link has"},
		Healthy,
	},
	{
		"training", "", &fault{cut: linkAt("node0003", 1), port: func(p *fabric.Port, i *smp.PortInfo) {
			if is(p, "node0003", 1) {
				i.PhysState = ib.PhysTraining
			}
		}},
		[]string{"error fewer-links: node0003 has 0 links; of its 31 peers most have 1", "warning training: node0003 mlx5_0 port 1"},
		Degraded,
	},
	{
		"another manager", "", change("node0003", 1, func(i *smp.PortInfo) { i.SMLID = 40 }),
		[]string{"error other-manager: 1 port takes LID 40"},
		Degraded,
	},
	{
		"no manager", "", &fault{port: func(_ *fabric.Port, i *smp.PortInfo) {
			i.SMLID, i.LID = 0, 0
			if i.State == ib.PortActive {
				i.State = ib.PortInitialize
			}
		}},
		[]string{"critical not-configured: 64 of 64 links wait", "critical no-manager: no subnet manager has configured"},
		Failing,
	},
	{
		"uplink", "", &fault{cut: linkAt("leaf02", 8)},
		[]string{"error fewer-uplinks: MF0;leaf02:MQM8700/U1 has 3 links up; of its 7 peers in tier 1 most have 4"},
		Degraded,
	},
	{
		"a silent peer", "", &fault{
			cut: linkAt("node0003", 1),
			port: func(p *fabric.Port, i *smp.PortInfo) {
				if is(p, "leaf01", 3) {
					i.State, i.PhysState = ib.PortInitialize, ib.PhysLinkUp
				}
			},
		},
		[]string{"error fewer-links: node0003", "warning unknown-peer: 1 port has a link"},
		Degraded,
	},
	{
		"a file that tells neither managers nor states", "", &fault{port: func(p *fabric.Port, i *smp.PortInfo) {
			i.SMLID, i.MTUCap, i.NeighborMTU = 0, 0, 0
			if strings.Contains(p.Node().Description(), "node0003") {
				i.LID, i.State = 0, ib.PortInitialize // as readers have it where no LID is told
			}
		}},
		nil, Healthy,
	},
	{
		"rail", "gpupod", &fault{cut: linkAt("mlx5_3", 1)},
		nil, Healthy, // no host has the rail: nobody has fewer than its peers
	},
}

// TestFaults: each fault gives its finding, and no other.
func TestFaults(t *testing.T) {
	for _, test := range faults {
		t.Run(test.name, func(t *testing.T) {
			text := test.fabric
			if text == "" {
				text = "fattree?levels=2&radix=8"
			}
			r := Examine(damaged(t, generate(t, text), test.fault), nil)
			got := told(r, test.want)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if r.Verdict() != test.verdict {
				t.Errorf("the verdict is %s, want %s", r.Verdict(), test.verdict)
			}
			for i := range r.Findings {
				if f := &r.Findings[i]; len(f.Remedy) == 0 {
					t.Errorf("%v: nothing to do", f)
				}
			}
		})
	}
}

// told is the beginning of each finding, as long as what is wanted.
func told(r *Report, want []string) (list []string) {
	for i := range r.Findings {
		f := &r.Findings[i]
		text := f.Severity.String() + " " + string(f.Kind) + ": " + f.Text
		if i < len(want) && strings.HasPrefix(text, want[i]) {
			text = want[i]
		}
		list = append(list, text)
	}
	return list
}

// TestHostWithoutAnAdapter: of hosts that are alike, one lacks a link.
func TestHostWithoutAnAdapter(t *testing.T) {
	f := generate(t, "gpupod")
	var host string
	for n := range f.CAs() {
		if strings.Contains(n.Description(), " mlx5_3") {
			host = n.Description()
			break
		}
	}
	r := Examine(damaged(t, f, &fault{cut: linkAt(host, 1)}), nil)
	if len(r.Findings) != 1 || r.Findings[0].Kind != FewerLinks || r.Findings[0].Severity != Error {
		t.Fatalf("found %+v", r.Findings)
	}
	if got := r.Findings[0].Evidence; !slices.Contains(got, "peers have, and it has not: mlx5_3") {
		t.Errorf("evidence %q", got)
	}
}

// TestDuplicateGUID: two adapters with one node GUID.
func TestDuplicateGUID(t *testing.T) {
	f := generate(t, "fattree?levels=2&radix=8")
	guids := map[string]ib.GUID{}
	for n := range f.CAs() {
		guids[n.Description()] = n.GUID()
	}
	r := Examine(damaged(t, f, &fault{node: func(n *fabric.Node, i *smp.NodeInfo) {
		if n.GUID() == guids["node0003 mlx5_0"] {
			i.NodeGUID = guids["node0004 mlx5_0"]
		}
	}}), nil)
	if len(r.Findings) == 0 {
		t.Fatal("nothing found")
	}
	for i := range r.Findings {
		if r.Findings[i].Kind != DuplicateGUID {
			t.Errorf("also found %v", &r.Findings[i])
		}
	}
}

// TestManagers: what subnet managers answer.
func TestManagers(t *testing.T) {
	f := generate(t, "fattree?levels=2&radix=8")
	var ports []*fabric.Port
	for n := range f.CAs() {
		ports = append(ports, n.Port(1))
	}
	master, standby := Manager{Port: ports[0], State: ib.SMMaster}, Manager{Port: ports[1], State: ib.SMStandby}
	for _, test := range []struct {
		name     string
		managers []Manager
		want     []string
	}{
		{"master and standby", []Manager{master, standby}, nil},
		{"alone", []Manager{master}, []string{"note no-standby"}},
		{"two", []Manager{master, {Port: ports[1], State: ib.SMMaster}}, []string{"critical two-managers: 2 subnet managers"}},
		{"none", []Manager{standby}, []string{"critical no-manager: no subnet manager is master"}},
		{"silent", []Manager{master, standby, {Port: ports[2], Err: mad.Status(4)}}, []string{"warning manager-silent"}},
	} {
		r := Examine(f, &Options{Managers: test.managers, ManagersAsked: true})
		if diff := cmp.Diff(test.want, told(r, test.want)); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
	}
}

// TestMore: counters, firmware and tables, as far as they are given.
func TestMore(t *testing.T) {
	f := generate(t, "fattree?levels=2&radix=8")
	var sw *fabric.Node
	for sw = range f.Switches() {
		break
	}
	o := &Options{Firmware: map[*fabric.Node]string{}, CountedPorts: 128}
	for _, name := range []string{"PortRcvErrors", "LinkDownedCounter"} {
		o.Counters = append(o.Counters, Counter{Port: sw.Port(1), Name: name, Value: 7, Severity: Error, Action: "Change the cable."})
	}
	for n := range f.Switches() {
		o.Firmware[n] = "27.2010.1"
	}
	o.Firmware[sw] = "27.2008.1"
	tables, err := route.New(f, route.FatTree, nil)
	if err != nil {
		t.Fatal(err)
	}
	lfts := route.LFTs{}
	for n := range f.Switches() {
		lfts[n] = tables.LFT(n)
	}
	lid := sw.Port(1).Remote().LID()
	lfts[sw][lid] = route.NoPort
	o.Routes = route.Examine(f, lfts, nil)
	r := Examine(f, o)
	want := []string{"critical not-delivered: MF0;leaf01:MQM8700/U1 has no port for 1 LID,", "error counters: MF0;leaf01:MQM8700/U1 port 1", "warning firmware: 2 versions"}
	if diff := cmp.Diff(want, told(r, want)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := r.Findings[1].Evidence; !slices.Equal(got, []string{"PortRcvErrors = 7", "LinkDownedCounter = 7"}) {
		t.Errorf("counters: %q", got)
	}
}

// TestChecksTellWhatTheyCannotSee: a graph without PortInfo is not called healthy
// without a word.
func TestChecksTellWhatTheyCannotSee(t *testing.T) {
	b := fabric.NewBuilder()
	r := Examine(b.Build(), nil)
	for _, c := range r.Checks {
		if c.Skipped == "" && c.Looked > 0 {
			t.Errorf("%s looked at %d", c.Name, c.Looked)
		}
		if c.Skipped == "" && c.Name != "reading" && c.Name != "identifiers" {
			t.Errorf("%s does not say that it saw nothing", c.Name)
		}
	}
	if len(r.Findings) > 0 {
		t.Errorf("found %v", r.Findings)
	}
}
