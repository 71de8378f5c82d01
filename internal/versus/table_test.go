package versus_test

import (
	"fmt"
	"io"
	"strings"
)

// target is what ours may take at most, as a share of what C does; 0: not asked.
type target struct{ wall, best, cpu, memory float64 }

// compared is a task done by C with its defaults, by C at its best, and by us, in
// each round.
type compared struct {
	task, where  string
	c, best, our []usage
	bestName     string // "" where C has no such choice
	target
}

// missed names the targets that were not met.
func (c *compared) missed() string {
	var all []string
	check := func(what string, most float64, theirs []usage, of func(usage) float64) {
		if is := share(c.our, theirs, of); most > 0 && is > most {
			all = append(all, fmt.Sprintf("%s %.2f > %.2f", what, is, most))
		}
	}
	check("wall", c.wall, c.c, usage.wall)
	if c.bestName != "" {
		check("best", c.target.best, c.best, usage.wall)
	}
	check("CPU", c.cpu, c.c, usage.cpu)
	check("memory", c.memory, c.c, usage.memory)
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
		best = fmt.Sprintf("%s (%s)", ms(c.best, usage.wall), c.bestName)
		byBest = fmt.Sprintf("%.2f", share(c.our, c.best, usage.wall))
	}
	fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %.2f | %s | %s | %s | %.2f | %s | %s | %.2f | %s |\n",
		c.task, c.where, ms(c.c, usage.wall), best, ms(c.our, usage.wall), share(c.our, c.c, usage.wall), byBest,
		ms(c.c, usage.cpu), ms(c.our, usage.cpu), share(c.our, c.c, usage.cpu),
		mb(c.c), mb(c.our), share(c.our, c.c, usage.memory), c.missed())
}

func ms(all []usage, of func(usage) float64) string {
	v := 1e3 * median(all, of)
	if v < 10 {
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func mb(all []usage) string { return fmt.Sprintf("%.1f", median(all, usage.memory)/1e6) }
