package block

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/ib"
)

func TestPackRate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100000 {
		v := math.Exp(r.Float64()*43 - 13)
		if got := unpackRate(packRate(v)); math.Abs(got-v) > v*0.0005 {
			t.Fatalf("%g became %g", v, got)
		}
	}
	for n := range 2049 {
		if got := unpackRate(packRate(float64(n))); got != float64(n) {
			t.Errorf("%d became %g", n, got)
		}
	}
	for _, tt := range []struct{ v, want float64 }{
		{-1, -1}, {math.NaN(), -1}, {1e-30, unpackRate(1)}, {math.Inf(1), unpackRate(unknownRate - 1)}, {1e300, unpackRate(unknownRate - 1)},
	} {
		if got := unpackRate(packRate(tt.v)); got != tt.want {
			t.Errorf("%g became %g, want %g", tt.v, got, tt.want)
		}
	}
}

func TestKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		var keys []total.Key
		guid := uint64(0)
		for range r.IntN(20) {
			guid += 1 + r.Uint64N(math.MaxUint64/40)
			for p := range r.IntN(256) {
				if r.IntN(3) > 0 {
					keys = append(keys, total.Key{Node: ib.GUID(guid), Num: p})
				}
			}
		}
		got, err := DecodeKeys(EncodeKeys(keys))
		if d := cmp.Diff(keys, got); err != nil || d != "" {
			t.Fatal(err, d)
		}
	}
}
