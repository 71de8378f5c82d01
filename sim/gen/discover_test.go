package gen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// joined are fabrics that a sweep finds all of.
var joined = []string{
	"fattree?radix=8&hosts=7&rails=2&hcas=4&sharp=yes", "fattree?levels=3&radix=8&oversub=3&vfs=4",
	"fattree?split=yes&hosts=100&speed=ndr&sharp=yes",
	"gpupod?hosts=4&radix=16", "gpupod?units=4&hosts=2&radix=8&rails=3&speed=xdr",
	"dragonfly", "dragonfly+", "torus?dims=3x4x2&cables=2&hosts=2", "torus?dims=5x1&wrap=no", "hypercube?dims=5", "hyperx?shape=2x3x4",
	"director?lines=4&spines=3", "director?model=isr9288", "director?model=cs7500&chassis=2&lines=2", "director?model=mcs8500&hosts=9",
	"xdrplanes?hosts=8&radix=4", "xdrplanes?hosts=3&hcas=2&radix=8&planes=2&sharp=no",
}

// Each fabric equals what a sweep of it finds, node by node and byte by byte.
func TestSweepFindsTheModel(t *testing.T) {
	for _, text := range joined {
		t.Run(text, func(t *testing.T) {
			f := parse(t, text)
			found := sweep(t, f, f.Start().Node())
			if d := cmp.Diff(picture(f, everything), picture(found, everything)); d != "" {
				t.Error(d)
			}
			for _, problem := range found.Problems() {
				t.Error(problem)
			}
			if len(found.Chassis()) != len(f.Chassis()) {
				t.Errorf("%d chassis found of %d", len(found.Chassis()), len(f.Chassis()))
			}
		})
	}
}

// Sweeps from a host of each subnet find all of it, and the routers' ports there.
func TestSweepsOfSubnets(t *testing.T) {
	for _, text := range []string{"subnets?subnets=3&routers=2", "gpupod?hosts=4&radix=16&storage=5", "subnets?subnets=2&levels=1&hosts=3"} {
		t.Run(text, func(t *testing.T) {
			f := parse(t, text)
			nodes, ports := map[ib.GUID]bool{}, 0
			for n := range f.CAs() {
				info, _ := n.Port(1).Info()
				if info.CapMask&smp.CapIsSM == 0 {
					continue
				}
				found := sweep(t, f, n)
				mine := func(p *fabric.Port) bool {
					other, ok := found.NodeByGUID(p.Node().GUID())
					return ok && other.Port(p.Num()) != nil
				}
				want, got := picture(f, mine), picture(found, everything)
				if d := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))); d != "" {
					t.Errorf("from %q: %s", n.Description(), d)
				}
				for n := range found.Nodes() {
					nodes[n.GUID()] = true
				}
				for p := range found.Ports() {
					if info, _ := p.Info(); p.LID() != 0 && p.Node().Type() != ib.NodeSwitch && info.GIDPrefix>>32 != 0xfe800000 {
						t.Errorf("port of prefix %x", info.GIDPrefix)
					}
					ports++
				}
			}
			all := 0
			for range f.Ports() {
				all++
			}
			if len(nodes) != f.NumNodes() || ports != all {
				t.Errorf("all sweeps found %d nodes and %d ports of %d and %d", len(nodes), ports, f.NumNodes(), all)
			}
		})
	}
}

func TestSameBytesEachTime(t *testing.T) {
	for _, g := range gen.Generators() {
		a, b := parse(t, g.Example), parse(t, g.Example)
		if d := cmp.Diff(picture(a, everything), picture(b, everything)); d != "" {
			t.Errorf("%s: %s", g.Example, d)
		}
	}
}

func parse(t *testing.T, text string) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func sweep(t *testing.T, f *fabric.Fabric, from *fabric.Node) *fabric.Fabric {
	t.Helper()
	s, err := sim.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	port, err := s.AttachAt(from.GUID().String(), 0)
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

func everything(*fabric.Port) bool { return true }

// picture writes all that a fabric holds of those ports, a line each, in order.
func picture(f *fabric.Fabric, has func(*fabric.Port) bool) []string {
	var list []string
	for n := range f.Nodes() {
		var b strings.Builder
		raw, known := n.RawInfo(), false
		clear(raw[20:28]) // the port that was asked,
		raw[36] = 0       // and where it was asked from
		si, _ := n.RawSwitchInfo()
		fmt.Fprintf(&b, "node %s: %q\n%x\n%x\n", n.GUID(), n.Description(), raw, si)
		for p := range n.Ports() {
			if !has(p) {
				continue
			}
			known = true
			raw, _ := p.RawInfo()
			ext, _ := p.RawExtendedInfo()
			raw[28] = 0
			fmt.Fprintf(&b, " port %d %s: %x %x", p.Num(), p.GUID(), raw, ext)
			if r := p.Remote(); r != nil {
				fmt.Fprintf(&b, " to %s port %d", r.Node().GUID(), r.Num())
			}
			b.WriteByte('\n')
		}
		if known {
			list = append(list, b.String())
		}
	}
	return list
}
