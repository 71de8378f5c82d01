package ibqueryerrors

import (
	"context"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/internal/cli/diags"
)

// maxNodes is how many nodes are asked at the same time; each has one request
// on its way.
const maxNodes = 64

// reportAll asks the nodes and prints what they say, in their order, and the
// summary.
func (s *session) reportAll(ctx context.Context, nodes []*fabric.Node) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	turns := make(chan chan *report, maxNodes)
	go func() {
		defer close(turns)
		for _, n := range nodes {
			done := make(chan *report, 1)
			select {
			case turns <- done:
			case <-ctx.Done():
				return
			}
			go func() { done <- s.ask(ctx, n) }()
		}
	}()
	var sum summary
	for done := range turns {
		r := <-done
		if err := sum.add(r); err != nil {
			return &diags.Fatal{Text: err.Error(), Cause: err}
		}
	}
	return s.end(&sum)
}

func (s *session) ask(ctx context.Context, n *fabric.Node) *report {
	r := &report{session: s, ctx: ctx, node: n, name: format.NameOf(s.names, n)}
	own := *s.env
	own.Stderr = &r.told
	r.env = &own
	r.run()
	return r
}

// summary counts over all nodes.
type summary struct{ nodes, badNodes, ports, badPorts, unanswered int }

func (m *summary) add(r *report) error {
	if r.skipped {
		return nil
	}
	m.nodes++
	if r.isBad {
		m.badNodes++
	}
	m.ports += r.ports
	m.badPorts += r.bad
	m.unanswered += r.unanswered
	if _, err := r.told.WriteTo(r.session.env.Stderr); err != nil {
		return err
	}
	_, err := r.out.WriteTo(r.session.env.Stdout)
	return err
}

// end prints the summary; bad ports are the exit code 1.
func (s *session) end(m *summary) error {
	text := fmt.Sprintf("\n## Summary: %d nodes checked, %d bad nodes found\n"+
		"##          %d ports checked, %d ports have errors beyond threshold\n## %s\n",
		m.nodes, m.badNodes, m.ports, m.badPorts, s.thresholdText)
	if m.unanswered > 0 {
		text += fmt.Sprintf("##          %d PMA query failures\n", m.unanswered)
	}
	text += strings.Join(append([]string{"## Suppressed:"}, s.suppressed...), " ") + "\n"
	if _, err := fmt.Fprint(s.env.Stdout, text); err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	if m.badPorts > 0 {
		return &diags.Exit{Code: 1}
	}
	return nil
}
