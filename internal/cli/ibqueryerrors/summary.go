package ibqueryerrors

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
)

// summary counts over all nodes.
type summary struct {
	Nodes    int `json:"nodes"`
	BadNodes int `json:"bad_nodes"`
	Ports    int `json:"ports"`
	BadPorts int `json:"bad_ports"`
	Failed   int `json:"failed_queries"` // with those that were not sent, because others had failed
}

func (m *summary) count(r *report) {
	ports := r.count
	if r.clean {
		ports = r.node.NumPorts()
	}
	if ports > 0 || r.node.NumPorts() == 0 {
		m.Nodes++
	}
	m.Ports += ports
	if r.isBad() {
		m.BadNodes++
		m.BadPorts += len(r.ports)
	}
}

// isBad: counters are beyond their thresholds.
func (r *report) isBad() bool { return r.sums != nil || len(r.ports) > 0 && !r.onlyData }

// end prints the summary. Bad ports are the exit code 1; without any, a run that
// did not come to its end is that of a failure.
func (s *session) end() error {
	m := &s.sum
	if !s.JSON {
		text := fmt.Sprintf("\n## Summary: %d nodes checked, %d bad nodes found\n"+
			"##          %d ports checked, %d ports have errors beyond threshold\n## %s\n",
			m.Nodes, m.BadNodes, m.Ports, m.BadPorts, s.thresholdText)
		if m.Failed > 0 {
			text += fmt.Sprintf("##          %d PMA query failures\n", m.Failed)
		}
		text += strings.Join(append([]string{"## Suppressed:"}, s.suppressed...), " ") + "\n"
		if _, err := fmt.Fprint(s.env.Stdout, text); err != nil {
			return &diags.Fatal{Text: err.Error(), Cause: err}
		}
	}
	switch {
	case m.BadPorts > 0:
		return &diags.Exit{Code: 1}
	case s.interrupted:
		return &diags.Exit{Code: diags.ExitFatal}
	}
	return nil
}
