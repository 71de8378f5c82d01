package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// picture writes all that a fabric holds, in its own order.
func picture(f *fabric.Fabric) string {
	var b strings.Builder
	for n := range f.Nodes() {
		path, _ := n.Path()
		si, _ := n.RawSwitchInfo()
		fmt.Fprintf(&b, "node %s by %s: %q\n%x\n%x\n", n.GUID(), path, n.Description(), n.RawInfo(), si)
		for p := range n.Ports() {
			raw, _ := p.RawInfo()
			ext, _ := p.RawExtendedInfo()
			raw[28] = 0 // LocalPort depends on the path of the request
			fmt.Fprintf(&b, " port %d %s: %x %x", p.Num(), p.GUID(), raw, ext)
			if r := p.Remote(); r != nil {
				fmt.Fprintf(&b, " to %s port %d", r.Node().GUID(), r.Num())
			}
			b.WriteByte('\n')
		}
	}
	if s := f.Start(); s != nil {
		fmt.Fprintf(&b, "start %s port %d\n", s.Node().GUID(), s.Num())
	}
	return b.String()
}

// What a sweep finds in a simulated fabric is the fabric that was simulated, in
// the same order: node by node, byte by byte.
func TestSweepGivesTheFabricBack(t *testing.T) {
	for _, text := range []string{
		"star?hosts=5", "line?switches=7", "ring?switches=2", "ring?switches=9", "ring?switches=1",
		"fattree?levels=2&radix=8&speed=ndr", "fattree?levels=3&radix=8&hosts=70&speed=xdr",
		"fattree?levels=3&radix=6&speed=qdr", "fattree?levels=2&radix=36&hosts=100&speed=fdr10&uplinks=12",
		"fattree?levels=4&radix=4&speed=edr&width=2x",
	} {
		t.Run(text, func(t *testing.T) {
			f := must[*fabric.Fabric](t)(gen.Parse(text))
			s := must[*sim.Fabric](t)(sim.New(f, nil))
			p := must[*sim.Port](t)(s.Attach(nil))
			found := must[*fabric.Fabric](t)(discover.Run(t.Context(), p, nil))
			if d := cmp.Diff(strings.Split(picture(f), "\n"), strings.Split(picture(found), "\n")); d != "" {
				t.Error(d)
			}
			for _, problem := range found.Problems() {
				t.Error(problem)
			}
		})
	}
}
