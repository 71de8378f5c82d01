package sa

import "fmt"

// Rate is the code of a path's data rate (15.2.5.16).
type Rate uint8

// gbps is the rate for each code; 0 for one that IBA does not define.
var gbps = [...]float64{
	2: 2.5, 3: 10, 4: 30, 5: 5, 6: 20, 7: 40, 8: 60, 9: 80, 10: 120,
	11: 14, 12: 56, 13: 112, 14: 168, 15: 25, 16: 100, 17: 200, 18: 300,
	19: 28, 20: 50, 21: 400, 22: 600, 23: 800, 24: 1200,
}

// Gbps is the rate in 10^9 bits per second, 0 for an undefined code.
func (r Rate) Gbps() float64 {
	if int(r) < len(gbps) {
		return gbps[r]
	}
	return 0
}

// String is the rate as in "100 Gb/s", or "unknown (99)".
func (r Rate) String() string {
	if g := r.Gbps(); g != 0 {
		return fmt.Sprintf("%g Gb/s", g)
	}
	return fmt.Sprintf("unknown (%d)", uint8(r))
}
