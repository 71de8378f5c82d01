package portcontrol_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/portcontrol"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

func open(t *testing.T, topology string, o *sim.Options) (*madrpc.Client, *fabric.Fabric) {
	t.Helper()
	model, err := gen.Parse(topology)
	if err != nil {
		t.Fatal(err)
	}
	f, err := sim.New(model, o)
	if err != nil {
		t.Fatal(err)
	}
	port, err := f.Attach(model.Start())
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	t.Cleanup(func() { client.Close() })
	return client, model
}

func path(t *testing.T, hops ...int) mad.Target {
	t.Helper()
	p, err := ib.NewDRPath(hops...)
	if err != nil {
		t.Fatal(err)
	}
	return mad.ByPath(p)
}

// other is a cabled port of the switch at the start that is not the start's.
func other(model *fabric.Fabric) *fabric.Port {
	sw := model.Start().Remote().Node()
	for num := 1; ; num++ {
		if p := sw.Port(num); p != nil && p.Remote() != nil && p != model.Start().Remote() {
			return p
		}
	}
}

func TestReadAndPeer(t *testing.T) {
	client, model := open(t, "star?hosts=3", nil)
	want := other(model)
	p, err := portcontrol.Read(t.Context(), client, path(t, 1), want.Num(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Node.NodeGUID != want.Node().GUID() || !p.IsSwitch() || p.HasOwner() || !p.HasExtendedSpeeds() || p.Info.State != want.State() {
		t.Errorf("%+v", p)
	}
	q, err := p.Peer(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	if q.Node.NodeGUID != want.Remote().Node().GUID() || q.Num != want.Remote().Num() || q.IsSwitch() || !q.HasOwner() {
		t.Errorf("%+v", q)
	}
	if got := portcontrol.Shortfalls(p, q); got != nil {
		t.Errorf("a good link falls short: %+v", got)
	}
	var failed *madrpc.Error
	if _, err := portcontrol.Read(t.Context(), client, path(t, 1), 200, nil); !errors.As(err, &failed) || failed.Attr != smp.AttrPortInfo || failed.Modifier != 200 {
		t.Errorf("port 200: %v", err)
	}
	long := make([]int, ib.MaxHops)
	p.Target = path(t, long...)
	if _, err := p.Peer(t.Context(), client, nil); !errors.Is(err, portcontrol.ErrTooFar) {
		t.Errorf("too far: %v", err)
	}
}

// TestSet changes a port of a fabric without a manager and looks what became of it.
func TestSet(t *testing.T) {
	client, model := open(t, "star?hosts=3", nil)
	ctx := t.Context()
	want := other(model)
	read := func() *portcontrol.Port {
		p, err := portcontrol.Read(ctx, client, path(t, 1), want.Num(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := read()
	enabled := p.Info.LinkWidthEnabled
	if err := p.Set(ctx, client, &portcontrol.Change{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read().Info, p.Info); diff != "" || p.Info.LinkWidthEnabled != enabled {
		t.Errorf("no change changes\n%s", diff)
	}
	steps := []struct {
		name   string
		change portcontrol.Change
		state  ib.PortState
		phys   ib.PhysState
	}{
		{"disable", portcontrol.Change{Phys: ib.PhysDisabled}, ib.PortDown, ib.PhysDisabled},
		{"width", portcontrol.Change{LinkWidthEnabled: ib.Width1x}, ib.PortDown, ib.PhysDisabled},
		{"enable", portcontrol.Change{Phys: ib.PhysPolling}, ib.PortInitialize, ib.PhysLinkUp},
		{"arm", portcontrol.Change{State: ib.PortArmed}, ib.PortArmed, ib.PhysLinkUp},
	}
	for _, s := range steps {
		if err := p.Set(ctx, client, &s.change); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if p = read(); p.Info.State != s.state || p.Info.PhysState != s.phys {
			t.Errorf("%s: %v, %v", s.name, p.Info.State, p.Info.PhysState)
		}
	}
	if p.Info.LinkWidthActive != ib.Width1x {
		t.Errorf("width %v", p.Info.LinkWidthActive)
	}
	q, err := p.Peer(ctx, client, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := smp.PortInfo(p.Info)
	p.Info.LinkWidthEnabled, q.Info.LinkWidthEnabled = 255, 255
	short := portcontrol.Shortfalls(p, q)
	if len(short) != 1 || short[0] != (portcontrol.Shortfall{Measure: portcontrol.Width, Active: 1, Possible: uint8(all.LinkWidthSupported.Max())}) {
		t.Errorf("%+v", short)
	}
	if err := p.Set(ctx, client, &portcontrol.Change{State: ib.PortActive}); !errors.Is(err, mad.StatusInvalidValue) {
		t.Errorf("active before the other end is armed: %v", err)
	}
}

func TestApply(t *testing.T) {
	lmc, protect := uint8(0), uint8(2)
	c := portcontrol.Change{SMLID: 7, LMC: &lmc, MKeyProtect: &protect}
	have := smp.PortInfo{LID: 0xffff, SMLID: 3, LMC: 2, State: ib.PortActive, PhysState: ib.PhysLinkUp, LinkSpeedEnabled: 7, LinkSpeedExtEnabled2: 1, MKey: 5, MKeyLeasePeriod: 6}
	got := have
	c.Apply(&got)
	if diff := cmp.Diff(smp.PortInfo{LID: 0x1234, SMLID: 7, MKey: 5, MKeyLeasePeriod: 6, MKeyProtect: 2}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wanted := have
	wanted.LID, wanted.SMLID, wanted.LMC, wanted.MKeyProtect = 0x1234, 7, 0, 2
	p := portcontrol.Port{Info: have}
	if diff := cmp.Diff(wanted, p.Wanted(&c)); diff != "" {
		t.Errorf("Wanted (-want +got)\n%s", diff)
	}
	p.Node.NodeType, p.Num = ib.NodeSwitch, 3
	wanted.LID, wanted.SMLID = have.LID, have.SMLID
	if diff := cmp.Diff(wanted, p.Wanted(&c)); diff != "" {
		t.Errorf("Wanted of a switch port (-want +got)\n%s", diff)
	}
}

func TestTakesLinkDown(t *testing.T) {
	up, down := smp.PortInfo{State: ib.PortInitialize}, smp.PortInfo{State: ib.PortDown}
	for _, tt := range []struct {
		c    portcontrol.Change
		want bool
	}{
		{portcontrol.Change{}, false},
		{portcontrol.Change{State: ib.PortArmed, LinkWidthEnabled: 1}, false},
		{portcontrol.Change{State: ib.PortDown}, true},
		{portcontrol.Change{Phys: ib.PhysPolling}, true},
		{portcontrol.Change{Phys: ib.PhysDisabled}, true},
	} {
		if got := tt.c.TakesLinkDown(&up); got != tt.want {
			t.Errorf("%+v: %v", tt.c, got)
		}
		if tt.c.TakesLinkDown(&down) {
			t.Errorf("%+v takes a link down that is down", tt.c)
		}
	}
}

func TestShortfalls(t *testing.T) {
	info := smp.PortInfo{
		LinkWidthEnabled: 255, LinkWidthSupported: 0x13, LinkWidthActive: ib.Width4x,
		LinkSpeedEnabled: 15, LinkSpeedSupported: 7, LinkSpeedActive: 4,
		LinkSpeedExtEnabled: 31, LinkSpeedExtSupported: 3, LinkSpeedExtActive: 2,
	}
	good := portcontrol.Port{Info: info, CapMask: smp.CapExtendedSpeeds}
	fdr10 := portcontrol.Port{Info: info, Extended: &smp.ExtendedPortInfo{LinkSpeedEnabled: smp.FDR10}}
	for _, tt := range []struct {
		name   string
		at     portcontrol.Port
		change func(*portcontrol.Port)
		want   []portcontrol.Shortfall
	}{
		{"good", good, func(*portcontrol.Port) {}, nil},
		{"2x counts below 4x", good, func(p *portcontrol.Port) { p.Info.LinkWidthActive = ib.Width2x }, []portcontrol.Shortfall{{portcontrol.Width, 16, 2}}},
		{"speed", good, func(p *portcontrol.Port) { p.Info.LinkSpeedActive = 1 }, []portcontrol.Shortfall{{portcontrol.Speed, 1, 4}}},
		{"extended", good, func(p *portcontrol.Port) { p.Info.LinkSpeedExtActive = 0 }, []portcontrol.Shortfall{{portcontrol.ExtendedSpeed, 0, 2}}},
		{"extended disabled", good, func(p *portcontrol.Port) { p.Info.LinkSpeedExtActive, p.Info.LinkSpeedExtEnabled = 0, 30 }, nil},
		{"FDR10", fdr10, func(*portcontrol.Port) {}, []portcontrol.Shortfall{{portcontrol.FDR10, 4, 1}}},
		{"no FDR10", fdr10, func(p *portcontrol.Port) { p.Extended = nil }, nil},
	} {
		p, q := tt.at, tt.at
		tt.change(&p)
		if diff := cmp.Diff(tt.want, portcontrol.Shortfalls(&p, &q)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}
