package dashboard

import (
	"math"
	"time"
)

// scale puts numbers on pixels.
type scale struct {
	low, high float64 // of the numbers
	from, to  float64 // pixels
}

func (s scale) at(v float64) float64 {
	return s.from + (s.to-s.from)*(v-s.low)/(s.high-s.low)
}

// nice is the smallest of 1, 2, 2.5 and 5 times a power of ten, or of 2 for bytes, that
// is not below a value.
func nice(v float64) float64 {
	base := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 2.5, 5, 10} {
		if m*base >= v*0.9999 {
			return m * base
		}
	}
	return 10 * base
}

// ticks are round numbers from low to high, about as many as wanted; whole ones only
// where the values are.
func ticks(low, high float64, wanted int, whole bool) (list []float64) {
	step := nice((high - low) / float64(wanted))
	if whole {
		step = max(math.Ceil(step), 1)
	}
	return multiples(low, high, step)
}

// multiples are those of a step from low to high.
func multiples(low, high, step float64) (list []float64) {
	for v := math.Ceil(low/step) * step; v <= high*1.0001; v += step {
		list = append(list, v)
	}
	return list
}

// durations are ticks of a number of seconds.
func durations(low, high float64, wanted int) []float64 {
	want := (high - low) / float64(wanted)
	for _, step := range []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400} {
		if want > 0.5 && step >= want {
			return multiples(low, high, step)
		}
	}
	return ticks(low, high, wanted, false)
}

// timeSteps are those between the times that an axis names.
var timeSteps = []time.Duration{
	time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// times draws the axis of times below a plot, and the lines of its grid.
func (a *Answers) times(c *canvas, b box) {
	step := timeSteps[len(timeSteps)-1]
	for _, s := range timeSteps {
		if float64(a.length()/s)*62 <= b.w {
			step = s
			break
		}
	}
	x := a.across(b)
	for at := a.start.Truncate(step); !at.After(a.end); at = at.Add(step) {
		if at.Before(a.start) {
			continue
		}
		p := x.at(float64(at.Unix()))
		c.line(p, b.y, p, b.y+b.h, gridColour, "")
		anchor := "middle"
		if p > b.x+b.w-16 {
			anchor = "end"
		}
		c.text(p, b.y+b.h+15, font{size: 11, colour: dimColour, anchor: anchor}, at.UTC().Format("15:04"))
	}
}

// across puts times on a plot.
func (a *Answers) across(b box) scale {
	return scale{float64(a.start.Unix()), float64(a.end.Unix()), b.x, b.x + b.w}
}
