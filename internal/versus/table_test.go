package versus_test

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// target is what ours may take at most, as a share of what C does; 0: not asked.
type target struct{ wall, best, cpu, memory float64 }

// compared is a task done by C with its defaults, by C at its best, and by us.
type compared struct {
	task, where  string
	c, best, our usage
	bestName     string // "" where C has no such choice
	target
}

// share is ours by theirs.
func share[T int64 | time.Duration](ours, theirs T) float64 { return float64(ours) / float64(theirs) }

// missed names the targets that were not met.
func (c *compared) missed() string {
	var all []string
	check := func(what string, is, most float64) {
		if most > 0 && is > most {
			all = append(all, fmt.Sprintf("%s %.2f > %.2f", what, is, most))
		}
	}
	check("wall", share(c.our.Wall, c.c.Wall), c.wall)
	if c.bestName != "" {
		check("best", share(c.our.Wall, c.best.Wall), c.target.best)
	}
	check("CPU", share(c.our.CPU, c.c.CPU), c.cpu)
	check("memory", share(c.our.Memory, c.c.Memory), c.memory)
	if all == nil {
		return "held"
	}
	return strings.Join(all, ", ")
}

const tableHead = `| task | fabric | C | C at its best | ours | ours/C | ours/best | CPU C | CPU ours | | MB C | MB ours | | targets |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
`

// row writes c as a line of a Markdown table. Times are in milliseconds.
func (c *compared) row(w io.Writer) {
	best, byBest := "–", "–"
	if c.bestName != "" {
		best = fmt.Sprintf("%s (%s)", ms(c.best.Wall), c.bestName)
		byBest = fmt.Sprintf("%.2f", share(c.our.Wall, c.best.Wall))
	}
	fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %.2f | %s | %s | %s | %.2f | %s | %s | %.2f | %s |\n",
		c.task, c.where, ms(c.c.Wall), best, ms(c.our.Wall), share(c.our.Wall, c.c.Wall), byBest,
		ms(c.c.CPU), ms(c.our.CPU), share(c.our.CPU, c.c.CPU),
		mb(c.c.Memory), mb(c.our.Memory), share(c.our.Memory, c.c.Memory), c.missed())
}

func ms(d time.Duration) string {
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.2f", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.0f", d.Seconds()*1e3)
}

func mb(n int64) string { return fmt.Sprintf("%.1f", float64(n)/1e6) }
