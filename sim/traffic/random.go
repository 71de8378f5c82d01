package traffic

// count is how many events have happened by time x, counted in mean distances:
// event k is at some moment between k and k+1, so that they come irregularly
// but can be counted at any time.
func count(seed, stream uint64, x float64) uint64 {
	whole := uint64(x)
	if chance(seed, stream, whole+2) <= x-float64(whole) {
		whole++
	}
	return whole
}

// chance is a number from 0 to 1 that depends on nothing but its arguments.
func chance(seed, stream, n uint64) float64 {
	x := scramble(seed + 0x9e3779b97f4a7c15)
	x = scramble(x ^ stream + 0x9e3779b97f4a7c15)
	return float64(scramble(x^n+0x9e3779b97f4a7c15)>>11) / (1 << 53)
}

// scramble is the finisher of SplitMix64.
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
