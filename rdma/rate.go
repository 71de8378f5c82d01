package rdma

import (
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/ib"
)

// Rate is the rate of a port as the kernel states it: what the lanes signal,
// rounded (SDR 2.5, EDR 25 Gb/s each), not the data rate.
type Rate struct {
	Gbps float64 // 0 when the text does not begin with a number
	Text string  // "100 Gb/sec (4X EDR)"
}

// String is the kernel's text.
func (r Rate) String() string { return r.Text }

// parseRate reads "100 Gb/sec (4X EDR)". The kernel leaves the speed out for SDR,
// "10 Gb/sec (4X)"; it does so as well for codes that it does not know, so the
// rate must agree. What cannot be told is 0.
func parseRate(text string) (Rate, ib.LinkWidth, ib.LinkSpeed) {
	r := Rate{Text: text}
	number, rest, _ := strings.Cut(text, " ")
	if v, err := strconv.ParseFloat(number, 64); err == nil && v >= 0 && v < 1e9 {
		r.Gbps = v
	}
	_, rest, _ = strings.Cut(rest, "(")
	inner, _, _ := strings.Cut(rest, ")")
	words := strings.Fields(inner)
	if len(words) == 0 {
		return r, 0, 0
	}
	lanes, err := strconv.Atoi(strings.TrimRight(words[0], "xX"))
	if err != nil {
		return r, 0, 0
	}
	width, _ := ib.WidthFromLanes(lanes)
	if len(words) == 1 {
		if r.Gbps == 2.5*float64(lanes) {
			return r, width, ib.SpeedSDR
		}
		return r, width, 0
	}
	return r, width, speedNamed(words[1])
}

// speedNamed is the speed with that name, 0 for names that are not known.
func speedNamed(name string) ib.LinkSpeed {
	speed, err := ib.ParseLinkSpeed(name)
	if err != nil || speed.Rank() == 0 {
		return 0
	}
	return speed
}
