package simexport

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// topologies are one or more of each generator, small enough for ibsim.
var topologies = []string{
	"fattree?radix=8&hosts=12&oversub=3&sharp=yes", "fattree?radix=8&hosts=5&rails=2&speed=fdr10", "fattree?split=yes&hosts=50",
	"gpupod?hosts=2&radix=8&speed=hdr", "dragonfly", "dragonfly+?groups=3&speed=edr", "torus?dims=3x2x2&speed=qdr", "hypercube",
	"hyperx?speed=fdr", "director?lines=3&spines=2", "director?model=isr9288&lines=2&hosts=20", "director?model=cs7500&lines=1&chassis=2",
	"subnets?speed=hdr", "line?speed=sdr", "ring?speed=ddr", "star",
}

// newer are beyond what ibsim 0.10 knows.
var newer = []string{
	"xdrplanes?hosts=3&radix=4", "fattree?split=yes&speed=ndr&hosts=8&sharp=yes", "gpupod?hosts=2&radix=8&storage=3", "star?speed=xdr",
}

func export(t *testing.T, uri, format string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fabric")
	var out, problems bytes.Buffer
	e := &env.Env{Stdout: &out, Stderr: &problems}
	c := Command(e)
	c.SetArgs([]string{"-o", format, uri, file})
	c.SetOut(&out)
	if err := c.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	return file
}

func model(t *testing.T, text string) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func load(t *testing.T, file string) *fabric.Fabric {
	t.Helper()
	f, err := format.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Problems() {
		t.Errorf("%s: %v", file, p)
	}
	return f
}

// printed is what ibnetdiscover prints of a fabric, by type and GUID.
func printed(t *testing.T, f *fabric.Fabric) string {
	t.Helper()
	var b strings.Builder
	if err := ibnetdiscover.Write(&b, f, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// noise is what a file for ibsim does not hold: the header, and port GUIDs.
var noise = regexp.MustCompile(`(?m)^#.*\n|\([0-9a-f]+\)`)

// blocks takes a topology apart into nodes, without the noise.
func blocks(text string) map[string]bool {
	set := map[string]bool{}
	for block := range strings.SplitSeq(noise.ReplaceAllString(text, ""), "\n\n") {
		set[strings.TrimSpace(block)] = true
	}
	return set
}

func TestExportReadsBackEqual(t *testing.T) {
	for _, text := range append(newer, topologies...) {
		want := model(t, text)
		for _, format := range []string{"ibnetdiscover", "cache", "snapshot"} {
			if format == "cache" && strings.Contains(text, "fdr10") {
				continue // C's cache has no place for FDR10
			}
			got := load(t, export(t, "sim:"+text, format))
			if d := cmp.Diff(printed(t, want), printed(t, got)); d != "" && !strings.Contains(text, "storage") {
				t.Errorf("%s as %s: %s", text, format, d)
			} else if d := cmp.Diff(blocks(printed(t, want)), blocks(printed(t, got))); d != "" {
				t.Errorf("%s as %s: %s", text, format, d)
			}
		}
		got := load(t, export(t, "sim:"+text, "ibsim"))
		if d := cmp.Diff(blocks(routed(text, printed(t, want))), blocks(routed(text, printed(t, got)))); d != "" {
			t.Errorf("%s for ibsim: %s", text, d)
		}
	}
}

// sweep is what a sweep of the simulated model finds.
func sweep(t *testing.T, f *fabric.Fabric) *fabric.Fabric {
	t.Helper()
	s, err := sim.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	port, err := s.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	found, err := discover.Run(t.Context(), port, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Ibsim loads the files, and what C's ibnetdiscover finds there is what ours
// finds on the fabric itself.
func TestExportInIbsim(t *testing.T) {
	testenv.Need(t, "ibsim", "ibnetdiscover", "umad2sim")
	for _, text := range topologies {
		t.Run(text, func(t *testing.T) {
			want := routed(text, printed(t, sweep(t, model(t, text))))
			for _, format := range []string{"ibsim", "ibnetdiscover"} {
				file := export(t, "sim:"+text, format)
				got, stderr, code := testenv.RunC(t, testenv.StartIbsim(t, file), "", "ibnetdiscover")
				if code != 0 {
					t.Fatalf("ibnetdiscover: exit code %d\n%s", code, stderr)
				}
				got = routed(text, got)
				if format == "ibsim" {
					inOrder := strings.Split(noise.ReplaceAllString(got, ""), "\n")
					if d := cmp.Diff(strings.Split(noise.ReplaceAllString(want, ""), "\n"), inOrder); d != "" {
						t.Errorf("(-ours, +C): %s", d)
					}
				} else if d := cmp.Diff(blocks(want), blocks(got)); d != "" && !strings.HasPrefix(text, "subnets") {
					// Ibsim starts in the subnet that the text has first.
					t.Errorf("ibnetdiscover's text (-ours, +C): %s", d)
				}
			}
		})
	}
}

var lids = regexp.MustCompile(` lid \d+( lmc \d+)?`)

// routed takes the LIDs out of a fabric with routers, whose LIDs ibsim has not.
func routed(uri, text string) string {
	if strings.HasPrefix(uri, "subnets") {
		return lids.ReplaceAllString(text, "")
	}
	return text
}

// Ibsim 0.10 loads newer hardware too, at HDR.
func TestNewerInIbsim(t *testing.T) {
	testenv.Need(t, "ibsim", "ibnetdiscover", "umad2sim")
	for _, text := range newer {
		file := export(t, "sim:"+text, "ibsim")
		got, stderr, code := testenv.RunC(t, testenv.StartIbsim(t, file), "", "ibnetdiscover", "-l")
		if code != 0 {
			t.Fatalf("%s: ibnetdiscover: exit code %d\n%s", text, code, stderr)
		}
		want := sweep(t, model(t, text)).NumNodes()
		if lines := strings.Count(got, " ports "); lines != want {
			t.Errorf("%s: %d nodes in ibsim, want %d", text, lines, want)
		}
	}
}

// C's ibnetdiscover -g groups the modules of directors as we do on the fabric
// itself.
func TestChassisInIbsim(t *testing.T) {
	testenv.Need(t, "ibsim", "ibnetdiscover", "umad2sim")
	for _, text := range []string{
		"director?lines=3&spines=2", "director?model=isr9288&lines=2&hosts=20", "director?model=isr2012&spines=3&chassis=2",
		"director?model=cs7500&lines=1&chassis=2", "director?model=mcs8500&lines=2&hosts=5", "gpupod?hosts=2&radix=8&speed=hdr",
	} {
		found := sweep(t, model(t, text))
		var b strings.Builder
		if err := ibnetdiscover.Write(&b, found, &ibnetdiscover.Options{Grouped: true}); err != nil {
			t.Fatal(err)
		}
		got, stderr, code := testenv.RunC(t, testenv.StartIbsim(t, export(t, "sim:"+text, "ibsim")), "", "ibnetdiscover", "-g")
		if code != 0 {
			t.Fatalf("%s: ibnetdiscover: exit code %d\n%s", text, code, stderr)
		}
		want := strings.Split(noise.ReplaceAllString(b.String(), ""), "\n")
		if d := cmp.Diff(want, strings.Split(noise.ReplaceAllString(got, ""), "\n")); d != "" {
			t.Errorf("%s (-ours, +C): %s", text, d)
		}
		if !strings.Contains(got, "\nChassis 1") || len(found.Chassis()) == 0 {
			t.Errorf("%s: no chassis:\n%.500s", text, got)
		}
	}
}

func TestExportErrors(t *testing.T) {
	for _, args := range [][]string{
		{"sim:nothing"}, {"file:x"}, {"-o", "xml", "sim:star"}, {"sim:star", "/nonexistent/file"}, {},
	} {
		var out bytes.Buffer
		c := Command(&env.Env{Stdout: &out, Stderr: &out})
		c.SilenceErrors, c.SilenceUsage = true, true
		c.SetArgs(args)
		if err := c.ExecuteContext(t.Context()); err == nil || out.Len() != 0 {
			t.Errorf("%q: %v, output %q", args, err, out.String())
		}
	}
	if _, err := os.Stat("fabric"); err == nil {
		t.Error("a file in the working directory")
	}
}
