package devices

import (
	"bufio"
	"fmt"
	"unicode/utf8"

	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/rdma"
)

// printCounters prints the counters that are not 0, below a line for each port
// or device; how many are 0 stands on that line.
func (v *view) printCounters(w *bufio.Writer, colour bool) {
	if v.ports == nil {
		return
	}
	for _, d := range v.devices {
		if own := v.own[d]; len(own.driver.List) > 0 {
			printList(w, paint(escape.Text(d.Name), bold, colour), own, colour)
		}
		for _, p := range d.Ports {
			printList(w, paint(fmt.Sprintf("%s port %d", escape.Text(p.Device), p.Num), bold, colour), v.ports[p], colour)
		}
	}
}

func printList(w *bufio.Writer, title string, c counters, colour bool) {
	all := append(append([]rdma.Counter{}, c.standard.List...), c.driver.List...)
	var shown []rdma.Counter
	names, values := 0, 0
	for _, one := range all {
		if one.Value != 0 {
			shown = append(shown, one)
			names = max(names, utf8.RuneCountInString(escape.Text(one.Name)))
			values = max(values, len(fmt.Sprint(one.Value)))
		}
	}
	fmt.Fprintf(w, "\n%s: ", title)
	switch {
	case len(all) == 0:
		fmt.Fprintln(w, "no counters")
	case len(shown) == len(all):
		fmt.Fprintf(w, "%d counters\n", len(all))
	default:
		fmt.Fprintf(w, "%d counters, %d of them 0\n", len(all), len(all)-len(shown))
	}
	for _, one := range shown {
		fmt.Fprintf(w, "  %s  %*d %s\n", pad(escape.Text(one.Name), names), values, one.Value, unitText(one, colour))
	}
}

// unitText is the unit, with the bytes that words are, and a mark on a counter
// that has stopped.
func unitText(c rdma.Counter, colour bool) string {
	text := c.Unit.String()
	if bytes, ok := c.Bytes(); ok && c.Unit == rdma.Words {
		text += fmt.Sprintf(" = %d bytes", bytes)
	}
	if c.Saturated() {
		text += paint(" (at its end: the true value may be higher)", yellow, colour)
	}
	return text
}
