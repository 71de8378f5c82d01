package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

// outputs are the reports of ibnetdiscover that can be made from a cache.
var outputs = map[string]func(*bytes.Buffer, *fabric.Fabric) error{
	"":      topology(ibnetdiscover.Options{}),
	"-f":    topology(ibnetdiscover.Options{Full: true}),
	"-g":    topology(ibnetdiscover.Options{Grouped: true}),
	"-f -g": topology(ibnetdiscover.Options{Full: true, Grouped: true}),
	"-m":    topology(ibnetdiscover.Options{MaxHops: true}),
	"-p":    func(b *bytes.Buffer, f *fabric.Fabric) error { return ibnetdiscover.WritePorts(b, f, nil) },
	"-l":    list(),
	"-S":    list(ib.NodeSwitch),
	"-H":    list(ib.NodeCA),
	"-R":    list(ib.NodeRouter),
}

func topology(o ibnetdiscover.Options) func(*bytes.Buffer, *fabric.Fabric) error {
	return func(b *bytes.Buffer, f *fabric.Fabric) error { return ibnetdiscover.Write(b, f, &o) }
}

func list(types ...ib.NodeType) func(*bytes.Buffer, *fabric.Fabric) error {
	return func(b *bytes.Buffer, f *fabric.Fabric) error { return ibnetdiscover.WriteList(b, f, nil, types...) }
}

// withoutDate drops the date from the header of a topology.
func withoutDate(s string) string {
	const mark = ": generated on "
	before, after, ok := strings.Cut(s, mark)
	if !ok {
		return s
	}
	_, after, _ = strings.Cut(after, "\n")
	return before + "\n" + after
}

// scan lets C sweep a topology and gives the cache file that it wrote.
func scan(t *testing.T, topology string) (*testenv.Ibsim, string) {
	t.Helper()
	testenv.Need(t, "ibsim", "umad2sim", "ibnetdiscover")
	sim := testenv.StartIbsim(t, topology)
	path := filepath.Join(t.TempDir(), "c.cache")
	if _, stderr, code := testenv.RunC(t, sim, "", "ibnetdiscover", "--cache", path, "-o", "1"); code != 0 {
		t.Fatalf("ibnetdiscover: exit %d: %s", code, stderr)
	}
	return sim, path
}

// compareWithC checks one topology in all ways.
func compareWithC(t *testing.T, topology string) {
	sim, path := scan(t, topology)
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(bytes.NewReader(want), "c.cache")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Problems() {
		if p.Kind == fabric.BadInput || p.Kind == fabric.BadChassis {
			t.Errorf("problem: %v", p)
		}
	}
	var got bytes.Buffer
	if err := Write(&got, f); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the file is not the same after reading and writing it")
	}
	sameBucketOrder(t, f)

	own := filepath.Join(t.TempDir(), "own.cache")
	if err := WriteFile(own, f); err != nil {
		t.Fatal(err)
	}
	for args, write := range outputs {
		ours := new(bytes.Buffer)
		if err := write(ours, f); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{path, own} {
			c := append([]string{"--load-cache", file}, strings.Fields(args)...)
			stdout, stderr, code := testenv.RunC(t, sim, "", "ibnetdiscover", c...)
			if code != 0 {
				t.Fatalf("%v: exit %d: %s", c, code, stderr)
			}
			if diff := cmp.Diff(withoutDate(stdout), ours.String()); diff != "" {
				t.Errorf("%s of %s: -C +ours:\n%s", args, filepath.Base(file), diff)
			}
		}
	}
}

// sameBucketOrder checks that following the sweep gives the order that C's file
// has. Across buckets the file does not tell the order.
func sameBucketOrder(t *testing.T, f *fabric.Fabric) {
	t.Helper()
	var want, got [buckets][]string
	for _, p := range portsByArrival(f) {
		b := bucketOf(p.GUID())
		want[b] = append(want[b], fmt.Sprint(p.Node().GUID(), p.Num()))
	}
	for _, p := range replay(f, wasAsked) {
		b := bucketOf(p.GUID())
		got[b] = append(got[b], fmt.Sprint(p.Node().GUID(), p.Num()))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order of the ports: -C +ours:\n%s", diff)
	}
}

// wasAsked tells which ports C asked for ExtendedPortInfo, which the file does
// not hold: those at QDR or FDR10 of the devices on its list.
func wasAsked(p *fabric.Port) bool {
	info, _ := p.Info()
	switch p.Node().Info().DeviceID {
	case 0xc738, 0xcb20, 0x1003, 0x1017:
		return info.PhysState == ib.PhysLinkUp && p.Active().Speed == ib.SpeedQDR
	}
	return false
}

func TestExamplesAgainstC(t *testing.T) {
	for _, name := range []string{"net", "net.1", "net.2sw2path", "net.2sw2path4hca", "net.2sw2path4hca2port"} {
		t.Run(name, func(t *testing.T) { compareWithC(t, testenv.Example(t, name)) })
	}
}

func TestChassisAgainstC(t *testing.T) {
	for name, make := range chassisFabrics {
		t.Run(name, func(t *testing.T) { compareWithC(t, make().write(t)) })
	}
}

func TestRandomAgainstC(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { compareWithC(t, randomFabric(seed, 20, 40).write(t)) })
	}
}

// named is a name map with one name for all nodes whose GUID is even.
type named struct{}

func (named) Name(guid ib.GUID, desc string) string {
	if guid%2 == 0 {
		return "mapped é"
	}
	return desc
}

func TestNamesAgainstC(t *testing.T) {
	sim, path := scan(t, testenv.Example(t, "net"))
	f, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for n := range f.Nodes() {
		if n.GUID()%2 == 0 {
			fmt.Fprintf(&lines, "%s \"mapped é\"\n", n.GUID())
		}
	}
	names := filepath.Join(t.TempDir(), "names")
	if err := os.WriteFile(names, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	o := &ibnetdiscover.Options{Names: named{}}
	for arg, write := range map[string]func(*bytes.Buffer) error{
		"-f": func(b *bytes.Buffer) error {
			return ibnetdiscover.Write(b, f, &ibnetdiscover.Options{Names: named{}, Full: true})
		},
		"-p": func(b *bytes.Buffer) error { return ibnetdiscover.WritePorts(b, f, o) },
		"-l": func(b *bytes.Buffer) error { return ibnetdiscover.WriteList(b, f, o) },
	} {
		var ours bytes.Buffer
		if err := write(&ours); err != nil {
			t.Fatal(err)
		}
		stdout, _, _ := testenv.RunC(t, sim, "", "ibnetdiscover", "--load-cache", path, "--node-name-map", names, arg)
		if diff := cmp.Diff(withoutDate(stdout), ours.String()); diff != "" || !strings.Contains(stdout, "mapped é") {
			t.Errorf("%s: -C +ours:\n%s", arg, diff)
		}
	}
}
