package hosttree_test

import (
	"testing"

	"github.com/ibscope/ibscope/fabric/hosttree"
)

// BenchmarkBuild arranges 65,536 hosts on a fat tree of three tiers, and 1,024
// hosts on eight rails.
func BenchmarkBuild(b *testing.B) {
	for _, text := range []string{"fattree?levels=3&radix=64", "gpupod?units=32&hosts=32&radix=64"} {
		b.Run(text, func(b *testing.B) {
			inputs := []hosttree.Input{input(b, text)}
			b.ReportAllocs()
			for b.Loop() {
				hosttree.Build(inputs, nil)
			}
		})
	}
}
