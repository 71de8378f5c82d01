package health

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
)

// Counter is a counter of errors beyond its threshold.
type Counter struct {
	Port     *fabric.Port
	Name     string // "SymbolErrorCounter"
	Value    uint64
	AtEnd    bool     // it stands at the end of its field: it may be more
	Severity Severity // of a fault of the hardware, lost packets, or a sign of load
	Action   string   // what to do, a sentence
}

// counters sums up the counters of each port in a finding.
func (x *examiner) counters() (looked int, skipped string) {
	if x.CountedPorts == 0 {
		return 0, "they were not read"
	}
	at := map[End]int{}
	for i := range x.Counters {
		c := &x.Counters[i]
		end := At(c.Port)
		n, ok := at[end]
		if !ok {
			n = len(x.findings)
			at[end] = n
			x.add(Finding{Kind: Counted, At: end, To: At(c.Port.Remote()), Severity: c.Severity})
		}
		f := &x.findings[n]
		more := ""
		if c.AtEnd {
			more = " or more"
		}
		f.Evidence = append(f.Evidence, fmt.Sprintf("%s = %d%s", c.Name, c.Value, more))
		if c.Severity >= f.Severity && c.Action != "" {
			f.Severity, f.Remedy = c.Severity, append([]string{c.Action}, f.Remedy...)
		}
	}
	for _, n := range at {
		f := &x.findings[n]
		f.Text = x.place(f.At) + " has counted errors"
		if f.To.Node != nil {
			f.Text += "; at the other end is " + x.place(f.To)
		}
		f.Remedy = unique(f.Remedy)
	}
	return x.CountedPorts, ""
}

// unique are the texts of a list, each once.
func unique(list []string) (out []string) {
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
