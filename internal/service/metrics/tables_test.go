package metrics

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/watch"
)

// counted sets all counters of a simulated fabric, each to a value of its own.
func counted(t *testing.T, w *world, f *fabric.Fabric) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	for p := range f.Ports() {
		if p.Num() == 0 {
			continue
		}
		at := w.place(p.Node().GUID(), p.Num())
		for c := range counters.All.All() {
			if err := w.truth.Set(at, "PortCountersExtended."+c.String(), 1<<40+r.Uint64N(1<<40)); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range detailNames {
			if err := w.truth.Set(at, name, 1+r.Uint64N(65000)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// detailNames are the counters that a simulated port has in other attributes.
var detailNames = []string{
	"PortRcvErrorDetails.PortLocalPhysicalErrors", "PortRcvErrorDetails.PortMalformedPktErrors",
	"PortRcvErrorDetails.PortBufferOverrunErrors", "PortRcvErrorDetails.PortDLIDMappingErrors",
	"PortRcvErrorDetails.PortVLMappingErrors", "PortRcvErrorDetails.PortLoopingErrors",
	"PortXmitDiscardDetails.PortInactiveDiscards", "PortXmitDiscardDetails.PortNeighborMTUDiscards",
	"PortXmitDiscardDetails.PortSwLifetimeLimitDiscards", "PortXmitDiscardDetails.PortSwHOQLifetimeLimitDiscards",
}

// moves are the counters that the sweep and the pass themselves move.
var moves = counters.SetOf(counters.XmitData, counters.RcvData, counters.XmitPkts, counters.RcvPkts, counters.UnicastXmitPkts, counters.UnicastRcvPkts)

// expect checks a sample against the simulator's counter times a factor.
func (w *world) expect(e *exposition, series string, p *fabric.Port, attribute, name string, factor float64) {
	w.t.Helper()
	truth, err := w.truth.Get(w.place(p.Node().GUID(), p.Num()), attribute+"."+name)
	if err != nil {
		w.t.Fatal(err)
	}
	got, there := e.values[series]
	want := float64(truth) * factor
	slack := 0.0
	if c, ok := counters.ByName(name); ok && moves.Has(c) {
		slack = 1e7
	}
	if !there || got > want || got < want-slack {
		w.t.Errorf("%s = %v (%t), the simulator has %v", series, got, there, want)
	}
}

func attributeOf(name string) string {
	for _, d := range detailNames {
		if a, n, _ := strings.Cut(d, "."); n == name {
			return a
		}
	}
	return "PortCountersExtended"
}

// full is a Collector of a fabric with everything that there is to show.
func full(t *testing.T) (*world, *fabric.Fabric, *Collector) {
	t.Helper()
	w := newWorld(t, "fattree?levels=2&radix=4")
	f := w.state().Fabric
	counted(t, w, f)
	w.details = true
	st := w.state()
	st.Pass.Duration = 1500 * time.Millisecond
	hardware := func(string, ib.GUID) *Hardware {
		return &Hardware{
			Firmware: "27.2008.2500", PSID: "MT_0000000063", PartNumber: "MQM8790-HS2F", SerialNumber: "MT2000X00001", Uptime: time.Hour,
			Temperature: 45, HasTemp: true, FanStatus: "OK", Fans: []Fan{{"1", 6125}},
			Supplies: []Supply{{ID: "0", Status: "OK", DC: "OK", Fan: "ERROR", Watts: 72, HasWatts: true}},
		}
	}
	return w, st.Fabric, New(always(st), nil, &Options{Sets: []Set{Treydock, Guilbaults}, Hardware: hardware})
}

func TestTreydock(t *testing.T) {
	w, f, c := full(t)
	page := text(t, c, Text, Treydock)
	promtool(t, page)
	e := read(t, page)
	checkTable(t, e, table(t, "testdata/treydock.txt"))
	for p := range f.Ports() {
		if p.Num() == 0 || p.Remote() == nil {
			continue
		}
		word := map[ib.NodeType]string{ib.NodeSwitch: "switch", ib.NodeCA: "hca"}[p.Node().Type()]
		l := labels("guid", p.GUID().String(), "port", fmt.Sprint(p.Num()))
		for _, r := range treydockCounters {
			factor := 1.0
			if strings.HasSuffix(r.source, "Data") {
				factor = 4
			}
			w.expect(e, "infiniband_"+word+"_port_"+r.word+"_total"+l, p, attributeOf(r.source), r.source, factor)
		}
		uplink := labels("guid", p.GUID().String(), "port", fmt.Sprint(p.Num()), word, p.Node().Description(), "uplink", p.Remote().Node().Description(),
			"uplink_guid", p.Remote().GUID().String(), "uplink_type", shortType(p.Remote().Node()), "uplink_port", fmt.Sprint(p.Remote().Num()), "uplink_lid", fmt.Sprint(int(p.Remote().LID())))
		if e.values["infiniband_"+word+"_uplink_info"+uplink] != 1 {
			t.Errorf("no uplink %s", uplink)
		}
	}
	for series, want := range map[string]float64{
		`infiniband_exporter_collector_duration_seconds{collector="switch"}`: 1.5,
		`infiniband_exporter_collect_errors{collector="hca"}`:                0,
	} {
		if got, ok := e.values[series]; !ok || got != want {
			t.Errorf("%s = %v (%t)", series, got, ok)
		}
	}
	rates := 0
	for series, v := range e.values {
		if strings.Contains(series, "_raw_rate_") || strings.Contains(series, "_rate_bytes") {
			rates++
			if raw := strings.Contains(series, "_raw_rate_"); !raw && v != 2.5e10 || raw && v != 4*53.125e9/8 {
				t.Errorf("%s = %v", series, v)
			}
		}
	}
	if want := 2 * (8 + 24); rates != want {
		t.Errorf("%d rates, want %d", rates, want)
	}
}

func TestGuilbaults(t *testing.T) {
	w, f, c := full(t)
	page := text(t, c, Text, Guilbaults)
	promtool(t, page)
	e := read(t, page)
	var rows []row
	for _, r := range table(t, "testdata/guilbaults.txt") {
		if !strings.HasSuffix(r.name, "_error") { // nothing is wrong here
			rows = append(rows, r)
		}
	}
	checkTable(t, e, rows)
	for p := range f.Ports() {
		if p.Num() == 0 || p.Remote() == nil {
			continue
		}
		component := map[ib.NodeType]string{ib.NodeSwitch: "switch", ib.NodeCA: "ca"}[p.Node().Type()]
		far := p.Remote()
		l := labels("component", component, "local_name", p.Node().Description(), "local_guid", fmt.Sprintf("0x%x", uint64(p.GUID())), "local_port", fmt.Sprint(p.Num()),
			"remote_guid", far.GUID().String(), "remote_port", fmt.Sprint(far.Num()), "remote_name", far.Node().Description())
		for _, name := range guilbaultsCounters {
			w.expect(e, "infiniband_"+strings.ToLower(name)+"_total"+l, p, attributeOf(name), name, 1)
		}
		if e.values["infiniband_speed"+l] != 53.125 || e.values["infiniband_width"+l] != 4 {
			t.Errorf("speed %v, width %v of %s", e.values["infiniband_speed"+l], e.values["infiniband_width"+l], l)
		}
	}
}

func TestGuilbaultsErrors(t *testing.T) {
	path, _ := ib.NewDRPath(1, 2)
	f := star([]string{"a", "b"}, counting,
		fabric.Problem{Kind: fabric.BadStatus, Target: mad.Target{Path: path}, Err: fmt.Errorf("x: %w", mad.StatusUnsupportedAttr)},
		fabric.Problem{Kind: fabric.BadStatus, Target: mad.Target{Path: path}, Err: fmt.Errorf("again: %w", mad.StatusUnsupportedAttr)},
		fabric.Problem{Kind: fabric.NoReply, Target: mad.Target{LID: 7}})
	st := watch.Static("one", "", f, total.NewTable(time.Now(), nil))
	other := watch.Static("two", "", f, nil)
	e := read(t, text(t, New(always(st, other), nil, &Options{Sets: []Set{Guilbaults}}), Text, Guilbaults))
	for _, series := range []string{
		`infiniband_bad_status_error{path="DR path slid 0; dlid 0; 0,1,2",status="12",error="` + mad.StatusUnsupportedAttr.Error() + `"}`,
		`infiniband_mad_rpc_failed_error{portid="Lid 7"}`,
	} {
		if e.values[series] != 1 {
			t.Errorf("%s is missing", series)
		}
	}
	for _, r := range table(t, "testdata/guilbaults.txt") {
		if strings.HasSuffix(r.name, "_error") && e.labels[r.name] != r.labels {
			t.Errorf("%s has %q", r.name, e.labels[r.name])
		}
	}
}
