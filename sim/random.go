package sim

// chance gives a number in [0, 1) that depends on nothing but its arguments:
// the n-th draw of one stream. Draws of different streams do not disturb one
// another, so a run repeats itself whatever the goroutines' order.
func chance(seed, stream, n uint64) float64 {
	return float64(mix(seed, stream, n)>>11) / (1 << 53)
}

// mix scrambles its arguments with the finisher of SplitMix64.
func mix(seed, stream, n uint64) uint64 {
	x := scramble(seed + 0x9e3779b97f4a7c15)
	x = scramble(x ^ stream + 0x9e3779b97f4a7c15)
	return scramble(x ^ n + 0x9e3779b97f4a7c15)
}

func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
