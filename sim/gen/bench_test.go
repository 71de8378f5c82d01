package gen

import "testing"

// Fabrics of about 65,536 hosts.
func BenchmarkLarge(b *testing.B) {
	for _, text := range []string{
		"fattree?levels=3&radix=64", "gpupod?units=64&radix=128&rails=8&hosts=64", "dragonfly+?groups=64&leaves=32&spines=32&hosts=32&global=32",
		"dragonfly?switches=32&groups=128", "torus?dims=16x16x16&hosts=16", "hyperx?shape=16x16x16&hosts=16", "hypercube?dims=12&hosts=16",
		"subnets?subnets=64&hosts=1000&radix=64", "xdrplanes?levels=3&radix=64&hosts=16384",
	} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f, err := Parse(text)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(f.NumNodes()), "nodes")
			}
		})
	}
}
