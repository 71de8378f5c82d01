package topology_test

import (
	"testing"

	"github.com/ibscope/ibscope/fabric/topology"
)

// BenchmarkClassify classifies large fabrics: 65,536 hosts on a fat tree, 65,536
// switches in a torus and in a hypercube, 73,728 on a dragonfly+.
func BenchmarkClassify(b *testing.B) {
	for _, test := range []struct{ name, text string }{
		{"fattree", "fattree?levels=3&radix=64"},
		{"torus", "torus?dims=64x32x32"},
		{"hypercube", "hypercube?dims=16"},
		{"dragonfly+", "dragonfly+?groups=33&leaves=32&global=32"},
		{"gpupod", "gpupod?units=32&storage=16"},
	} {
		b.Run(test.name, func(b *testing.B) {
			f := generate(b, test.text)
			b.ResetTimer()
			for b.Loop() {
				topology.Classify(f, nil)
			}
		})
	}
}
