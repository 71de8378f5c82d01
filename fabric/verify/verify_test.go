package verify_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/gen"
)

func make1(t testing.TB, text string) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// at is a port by the name that verify.Names gives its node.
type at struct {
	node string
	port int
}

func (a at) String() string { return fmt.Sprintf("%s/%d", a.node, a.port) }

// bench changes a fabric.
type bench struct {
	t     testing.TB
	f     *fabric.Fabric
	cable map[at]at
	slow  map[at]bool
	guid  map[string]ib.GUID
	gone  map[string]bool
}

func newBench(t testing.TB, f *fabric.Fabric) *bench {
	b := &bench{t, f, map[at]at{}, map[at]bool{}, map[string]ib.GUID{}, map[string]bool{}}
	name := verify.Names(f, nil)
	for l := range f.Links() {
		b.join(at{name(l.A.Node()), l.A.Num()}, at{name(l.B.Node()), l.B.Num()})
	}
	return b
}

func (b *bench) join(p, q at) { b.cable[p], b.cable[q] = q, p }

func (b *bench) unplug(p at) at {
	q, ok := b.cable[p]
	if !ok {
		b.t.Fatalf("%s has no cable", p)
	}
	delete(b.cable, p)
	delete(b.cable, q)
	return q
}

func (b *bench) swap(p, q at) {
	a, c := b.unplug(p), b.unplug(q)
	b.join(a, q)
	b.join(c, p)
}

func (b *bench) move(from, to at) { b.join(b.unplug(from), to) }

// build makes the fabric.
func (b *bench) build() *fabric.Fabric {
	name, nb := verify.Names(b.f, nil), fabric.NewBuilder()
	nodes := map[string]*fabric.Node{}
	for n := range b.f.Nodes() {
		if b.gone[name(n)] {
			continue
		}
		info := n.Info()
		raw, desc := n.RawInfo(), n.RawDescription()
		if g := b.guid[name(n)]; g != 0 {
			info.NodeGUID, info.PortGUID = g, g+1
			info.Encode(&raw)
			copy(desc[:], strings.Repeat("new", 1)+"\x00")
		}
		m := nb.AddNode(&raw)
		nb.SetDescription(m, &desc)
		nodes[name(n)] = m
		for p := range n.Ports() {
			q := nb.Port(m, p.Num())
			raw, known := p.RawInfo()
			if b.slow[at{name(n), p.Num()}] {
				raw = narrow(raw)
			}
			if known {
				nb.SetPortInfo(q, &raw)
			}
		}
	}
	for p, q := range b.cable {
		if nodes[p.node] != nil && nodes[q.node] != nil {
			nb.Link(nb.Port(nodes[p.node], p.port), nb.Port(nodes[q.node], q.port))
		}
	}
	return nb.Build()
}

func narrow(raw [mad.DataSize]byte) [mad.DataSize]byte {
	var info smp.PortInfo
	info.Decode(&raw)
	info.LinkWidthActive = ib.Width1x
	info.Encode(&raw)
	return raw
}

// kinds lists findings in short.
func kinds(r *verify.Report) (list []string) {
	for _, f := range r.Findings {
		list = append(list, string(f.Kind))
	}
	return list
}

func whole(r *verify.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s: %s\n\t%s\n", f.Kind, f.What, strings.Join(f.Do, "\n\t"))
	}
	for _, err := range r.Problems {
		fmt.Fprintf(&b, "problem: %v\n", err)
	}
	return b.String()
}

// TestThousandHosts: ten faults of five kinds in a fat tree are these ten findings.
func TestThousandHosts(t *testing.T) {
	f := make1(t, "fattree?levels=3&radix=16&hosts=1000")
	plan := verify.FromFabric(f, nil)
	if r := verify.Check(f, plan, nil); len(r.Findings) > 0 || len(r.Problems) > 0 || r.InPlace != len(plan.Cables) {
		t.Fatalf("the clean fabric: %d in place of %d\n%s", r.InPlace, len(plan.Cables), whole(r))
	}
	b := newBench(t, f)
	name := verify.Names(f, nil)
	var leaves, uppers []string // leaves have hosts at port 1, uppers have switches there
	for sw := range f.Switches() {
		if sw.Port(1).Remote().Node().Type() == ib.NodeCA {
			leaves = append(leaves, name(sw))
		} else {
			uppers = append(uppers, name(sw))
		}
	}
	b.unplug(at{leaves[0], 9})                             // missing: an up link
	b.unplug(at{leaves[1], 2})                             // missing: a host
	b.swap(at{leaves[2], 1}, at{leaves[2], 2})             // swapped at one leaf
	b.swap(at{leaves[3], 10}, at{leaves[40], 11})          // swapped across two
	free := freePorts(f)                                   //
	b.move(at{leaves[5], 3}, free[0])                      // moved: a host
	b.move(at{leaves[6], 12}, free[1])                     // moved: an up link
	b.slow[at{leaves[7], 4}] = true                        // narrow, both ends tell
	b.slow[b.cable[at{leaves[7], 4}]] = true               //
	b.slow[at{uppers[8], 3}] = true                        //
	b.slow[b.cable[at{uppers[8], 3}]] = true               //
	b.guid[b.cable[at{leaves[9], 5}].node] = 0xaaaa00000a0 // replaced adapters
	b.guid[b.cable[at{leaves[10], 6}].node] = 0xaaaa00000b0
	bad := b.build()
	r := verify.Check(bad, plan, nil)
	want := map[string]verify.Kind{
		leaves[0] + " port 9": verify.Missing, leaves[1] + " port 2": verify.Missing,
		leaves[2] + " port 1": verify.Swapped, leaves[3] + " port 10": verify.Swapped,
		leaves[5] + " port 3": verify.Moved, leaves[6] + " port 12": verify.Moved,
		leaves[7] + " port 4": verify.WrongRate, uppers[8] + " port 3": verify.WrongRate,
		leaves[9] + " port 5": verify.Replaced, leaves[10] + " port 6": verify.Replaced,
	}
	for place, kind := range want {
		found := 0
		for i := range r.Findings {
			f := &r.Findings[i]
			if regexp.MustCompile(place + `\b`).MatchString(f.What + " " + strings.Join(f.Do, " ")) {
				found++
				if f.Kind != kind {
					t.Errorf("%s: %s, not %s", place, f.Kind, kind)
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: %d findings", place, found)
		}
	}
	if len(r.Findings) != len(want) || len(r.Problems) > 0 {
		t.Errorf("%d findings for %d faults", len(r.Findings), len(want))
	}
	t.Log("\n" + whole(r))
	sameFaults(t, f, bad)
}

// sameFaults: the difference of the two fabrics is these faults and no other: of each
// cable in another one's place it tells both.
func sameFaults(t *testing.T, before, now *fabric.Fabric) {
	t.Helper()
	if changes := diff.Compare(before, before, nil); len(changes) > 0 {
		t.Errorf("the clean fabric: %v", changes)
	}
	count := map[string]int{}
	for _, c := range diff.Compare(before, now, nil) {
		count[string(c.Op)+" "+string(c.Subject)+" "+string(c.Field)]++
	}
	want := map[string]int{"only-a link ": 2, "moved link ": 6, "differs link width": 2, "replaced node ": 2}
	if d := cmp.Diff(want, count); d != "" {
		t.Errorf("difference (-want +got)\n%s", d)
	}
}

// freePorts are ports of switches that have no cable.
func freePorts(f *fabric.Fabric) (list []at) {
	name := verify.Names(f, nil)
	for n := range f.Switches() {
		for num := 1; num <= n.NumPorts(); num++ {
			if p := n.Port(num); p == nil || p.Remote() == nil {
				list = append(list, at{name(n), num})
			}
		}
	}
	return list
}

// TestKinds changes a small fabric in one way each, or in several at once.
func TestKinds(t *testing.T) {
	f := make1(t, "fattree?levels=2&radix=8&hosts=12") // leaves with 4 hosts each, 1…3 are up
	name := verify.Names(f, nil)
	var leaves []string
	for sw := range f.Switches() {
		if sw.Port(1) != nil && sw.Port(1).Remote() != nil && sw.Port(1).Remote().Node().Type() == ib.NodeCA {
			leaves = append(leaves, name(sw))
		}
	}
	leaf, other := leaves[0], leaves[1]
	plan := verify.FromFabric(f, nil)
	tests := map[string]struct {
		change func(b *bench)
		want   []string
	}{
		"nothing":      {func(*bench) {}, nil},
		"cable out":    {func(b *bench) { b.unplug(at{leaf, 1}) }, []string{"missing"}},
		"three rotate": {func(b *bench) { b.swap(at{leaf, 1}, at{leaf, 2}); b.swap(at{leaf, 2}, at{leaf, 3}) }, []string{"swapped"}},
		"two swaps": {func(b *bench) {
			b.swap(at{leaf, 1}, at{leaf, 2})
			b.swap(at{other, 1}, at{other, 2})
		}, []string{"swapped", "swapped"}},
		"moved onto a missing one": {func(b *bench) {
			b.unplug(at{leaf, 1})
			b.move(at{leaf, 2}, at{leaf, 1})
		}, []string{"missing", "moved"}},
		"a host is off":   {func(b *bench) { b.gone[b.cable[at{leaf, 1}].node] = true }, []string{"missing"}},
		"a switch is off": {func(b *bench) { b.gone[leaf] = true }, []string{"missing-node"}},
		"a switch is new": {func(b *bench) { b.guid[leaf] = 0xaaaa }, []string{"replaced"}},
		"new and a cable out": {func(b *bench) {
			b.guid[leaf] = 0xaaaa
			b.unplug(at{leaf, 2})
		}, []string{"replaced", "missing"}},
	}
	for title, tt := range tests {
		b := newBench(t, f)
		tt.change(b)
		r := verify.Check(b.build(), plan, nil)
		got := kinds(r)
		if len(got) == 2 && got[0] > got[1] && tt.want[0] < tt.want[1] {
			got[0], got[1] = got[1], got[0]
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || len(r.Problems) > 0 {
			t.Errorf("%s: %s\n%s", title, diff, whole(r))
		}
	}
}

// TestMany: faults at random places that do not touch each other are told one for
// one, whatever the order in which they are made.
func TestMany(t *testing.T) {
	f := make1(t, "fattree?levels=3&radix=8&hosts=100")
	plan := verify.FromFabric(f, nil)
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 0))
		b, want := newBench(t, f), 0
		var ends []at
		for p := range b.cable {
			ends = append(ends, p)
		}
		slices.SortFunc(ends, func(p, q at) int { return cmp2(p, q) })
		r.Shuffle(len(ends), func(i, j int) { ends[i], ends[j] = ends[j], ends[i] })
		used := map[at]bool{}
		next := func() (at, bool) { // an end of a cable that nothing was done to
			for len(ends) > 0 {
				p := ends[0]
				ends = ends[1:]
				if q := b.cable[p]; !used[p] && !used[q] {
					used[p], used[q] = true, true
					return p, true
				}
			}
			return at{}, false
		}
		free := freePorts(f)
		for range 1 + r.IntN(30) {
			p, ok := next()
			if !ok {
				break
			}
			switch r.IntN(4) {
			case 0:
				b.unplug(p)
			case 1:
				if q, ok := next(); ok {
					b.swap(p, q)
				}
			case 2:
				b.slow[p], b.slow[b.cable[p]] = true, true
			case 3:
				if len(free) == 0 {
					continue
				}
				b.move(p, free[0])
				free = free[1:]
			}
			want++
		}
		report := verify.Check(b.build(), plan, nil)
		if len(report.Findings) != want || len(report.Problems) > 0 {
			t.Errorf("seed %d: %d findings, want %d\n%s", seed, len(report.Findings), want, whole(report))
		}
	}
}

func cmp2(p, q at) int {
	if p.node != q.node {
		return strings.Compare(p.node, q.node)
	}
	return p.port - q.port
}

// TestExtra: a link that the plan does not have, unless the plan is partial.
func TestExtra(t *testing.T) {
	f := make1(t, "fattree?levels=2&radix=8&hosts=12")
	plan := verify.FromFabric(f, nil)
	plan.Cables = plan.Cables[1:]
	if got := kinds(verify.Check(f, plan, nil)); len(got) != 1 || got[0] != "extra" {
		t.Errorf("got %q", got)
	}
	plan.Partial = true
	if got := kinds(verify.Check(f, plan, nil)); len(got) != 0 {
		t.Errorf("of a partial plan: %q", got)
	}
}

// TestNames: plans name nodes as people do.
func TestNames(t *testing.T) {
	f := make1(t, "star?hosts=3&speed=ndr")
	check := func(a, b verify.End) string {
		r := verify.Check(f, &verify.Plan{Partial: true, Cables: []verify.Cable{{A: a, B: b, Label: "W1", Where: "p:1", Speed: ib.SpeedNDR}}}, nil)
		if len(r.Problems) > 0 {
			return r.Problems[0].Error()
		}
		return strings.Join(kinds(r), " ")
	}
	sw := verify.End{Name: "switch01", Port: 1}
	for node, want := range map[string]string{
		"node0001 mlx5_0": "", "node0001": "", "NODE0001  MLX5_0": "", "node0001.x": "replaced", "node0002": "moved extra",
	} {
		got := check(verify.End{Name: node, Port: 1}, sw)
		if got != want {
			t.Errorf("%s: %q, want %q", node, got, want)
		}
	}
	if got := check(verify.End{Name: "node0002", Port: 1}, verify.End{Name: "switch01", Cage: "1/2"}); got != "" {
		t.Errorf("cage 1/2: %s", got)
	}
	if got := check(verify.End{Name: "node0002", Port: 2}, sw); !strings.Contains(got, "p:1: node0002: has no port 2") {
		t.Errorf("port 2: %s", got)
	}
}

// TestLies: nodes that tell a wrong GUID are found by what else they tell, and
// their cables are in place; where nothing is left that tells them apart, the plan
// cannot be checked there.
func TestLies(t *testing.T) {
	f := make1(t, "fattree?levels=2&radix=4")
	plan := verify.FromFabric(f, nil)
	leaf01, leaf02 := verify.Lookup(f, nil)("leaf01")[0], verify.Lookup(f, nil)("leaf02")[0]
	lie := func(sameName bool, portGUID ib.GUID) *verify.Report {
		nb, nodes := fabric.NewBuilder(), map[*fabric.Node]*fabric.Node{}
		for n := range f.Nodes() {
			info, raw, text := n.Info(), n.RawInfo(), n.RawDescription()
			if n == leaf01 {
				info.NodeGUID, info.PortGUID = leaf02.GUID(), portGUID
				info.Encode(&raw)
				if sameName {
					text = leaf02.RawDescription()
				}
			}
			nodes[n] = nb.AddNode(&raw)
			nb.SetDescription(nodes[n], &text)
			for p := range n.Ports() {
				if raw, ok := p.RawInfo(); ok {
					nb.SetPortInfo(nb.Port(nodes[n], p.Num()), &raw)
				}
			}
		}
		for l := range f.Links() {
			nb.Link(nb.Port(nodes[l.A.Node()], l.A.Num()), nb.Port(nodes[l.B.Node()], l.B.Num()))
		}
		return verify.Check(nb.Build(), plan, nil)
	}
	if r := lie(false, leaf01.GUID()); len(r.Findings) > 0 || len(r.Problems) > 0 || r.InPlace != len(plan.Cables) {
		t.Errorf("the GUID of another, its own port GUID: %d in place of %d\n%s", r.InPlace, len(plan.Cables), whole(r))
	}
	r := lie(true, leaf02.GUID())
	if got := whole(r); len(r.Problems) == 0 || !strings.Contains(got, "leaf02 ("+leaf02.GUID().String()+"): 2 nodes have this GUID") || strings.Contains(got, "moved") {
		t.Errorf("the GUID, port GUID and name of another:\n%s", got)
	}
}

// TestRules: what rules find in a fabric that keeps or breaks them.
func TestRules(t *testing.T) {
	f := make1(t, "fattree?levels=2&radix=8&hosts=12&hcas=1")
	group := func(name, pattern string) verify.Group {
		return verify.Group{Name: name, Patterns: []string{pattern}}
	}
	name := verify.Names(f, nil)
	var leaf, spine []string
	for sw := range f.Switches() {
		list := &spine
		if sw.Port(1).Remote().Node().Type() == ib.NodeCA {
			list = &leaf
		}
		*list = append(*list, name(sw))
	}
	leaves := verify.Group{Name: "leaf", Patterns: leaf}
	spines := verify.Group{Name: "spine", Patterns: spine}
	links := 0
	for p := range f.Ports() {
		if p.Remote() != nil && name(p.Node()) == leaf[0] && name(p.Remote().Node()) == spine[0] {
			links++
		}
	}
	for i, tt := range []struct {
		rule verify.Rule
		want string
	}{
		{verify.Rule{Count: &verify.CountRule{Of: leaves, To: &spines, Each: true, Min: links, Max: links}}, ""},
		{verify.Rule{Count: &verify.CountRule{Of: leaves, To: &spines, Each: true, Min: links + 1, Max: -1}}, "expected are at least"},
		{verify.Rule{Count: &verify.CountRule{Of: group("host", "node*"), Min: 1, Max: 1}}, ""},
		{verify.Rule{Count: &verify.CountRule{Of: group("host", "node*"), Min: 2, Max: 2}}, "1 link in all, expected are 2"},
		{verify.Rule{Rate: &verify.RateRule{Speed: ib.SpeedHDR, Width: ib.Width4x}}, ""},
		{verify.Rule{Rate: &verify.RateRule{A: &leaves, B: &spines, Speed: ib.SpeedNDR}}, "runs at 4x HDR"},
		{verify.Rule{Count: &verify.CountRule{Of: group("gateway", "gw*"), Min: 1, Max: 1}}, "no node is a"},
		{verify.Rule{Rails: &verify.RailRule{}}, ""},
	} {
		r := verify.Check(f, &verify.Plan{Rules: []verify.Rule{tt.rule}}, nil)
		if text := whole(r); (text == "") != (tt.want == "") || !strings.Contains(text, tt.want) || (r.Kept == 1) != (tt.want == "") {
			t.Errorf("rule %d: kept %d\n%s", i, r.Kept, text)
		}
	}
}

// TestRails: an adapter at the switch of another rail.
func TestRails(t *testing.T) {
	f := make1(t, "gpupod?units=1&hosts=4&rails=4&radix=16")
	plan := &verify.Plan{Rules: []verify.Rule{{Text: "rails apart", Rails: &verify.RailRule{First: 1, Last: 4}}}}
	if r := verify.Check(f, plan, nil); r.Kept != 1 {
		t.Fatal(whole(r))
	}
	b := newBench(t, f)
	b.swap(at{"su01-leaf-r1", 1}, at{"su01-leaf-r2", 1})
	r := verify.Check(b.build(), plan, nil)
	if len(r.Findings) != 2 || !strings.Contains(r.Findings[0].What, "of rail") {
		t.Error(whole(r))
	}
}

func BenchmarkCheck(b *testing.B) {
	f := make1(b, "fattree?levels=3&radix=28&hosts=5000")
	plan := verify.FromFabric(f, nil)
	for b.Loop() {
		verify.Check(f, plan, nil)
	}
}
