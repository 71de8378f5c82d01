package perfquery

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// query is one run of the tool.
type query struct {
	*settings
	env    *env.Env
	client *madrpc.Client
	to     mad.Target

	capMask  uint16 // of the agent
	capMask2 uint32

	counters []counterSet // for the document
	resets   []resetSet
	planned  []*diags.Plan
}

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e)
	if err != nil {
		return err
	}
	client, err := s.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	q := &query{settings: s, env: e, client: client}
	if err := q.resolve(ctx); err != nil {
		return err
	}
	var info pma.ClassPortInfo
	if err := q.classPortInfo(ctx, &info); err != nil {
		return q.fail("classportinfo query", err)
	}
	q.capMask, q.capMask2 = info.CapMask, info.CapMask2
	if q.port == pma.AllPorts && !q.has(pma.CapAllPortSelect) && !q.asked["all_ports"] {
		return &diags.Fatal{Text: "AllPortSelect not supported"}
	}
	if k := s.special(); k != nil {
		err = q.runSpecial(ctx, k)
	} else {
		err = q.runCounters(ctx)
	}
	return q.Finish(err, q.document())
}

func (q *query) has(capability uint16) bool { return q.capMask&capability != 0 }

// resolve finds whom to ask. Without an operand that is the local port, and
// -a has no effect on its number, as in C.
func (q *query) resolve(ctx context.Context) error {
	if q.settings.to != "" {
		to, err := q.Resolve(ctx, q.client, q.settings.to)
		if err != nil {
			return q.fail("can't resolve destination port "+q.settings.to, err)
		}
		q.to = to
		return nil
	}
	self, err := q.Self(ctx, q.client)
	if err != nil {
		return q.fail("can't resolve self port (null)", err)
	}
	q.to, q.port = self.Target(), uint8(self.Num())
	return nil
}

// classPortInfo asks the agent what it can do. The port stands where the
// counters have it.
func (q *query) classPortInfo(ctx context.Context, info *pma.ClassPortInfo) error {
	return madrpc.Get(ctx, q.client, q.to, 0, info, func(p *mad.Packet) { p.Data()[1] = q.port })
}

// fail tells the cause of a failure on stderr and gives the error in C's words.
func (q *query) fail(text string, cause error) error {
	q.Failed(cause)
	return &diags.Fatal{Text: text, Cause: cause}
}

// eachPort are the ports to go through, nil for the one port of the query. It
// warns when adding up takes the place of what the agent cannot do.
func (q *query) eachPort(ctx context.Context) (ports []uint8, addUp bool, err error) {
	all, loop := q.asked["all_ports"], q.asked["loop_ports"]
	emulate := all && q.port == pma.AllPorts && !q.has(pma.CapAllPortSelect)
	if emulate || loop && (all || q.port == pma.AllPorts) {
		if ports, err = q.allPorts(ctx); err != nil {
			return nil, false, err
		}
		if emulate && !loop {
			diags.IBWarn(q.env, "main", "Emulating AllPortSelect by iterating through all ports")
		}
		return ports, emulate && !loop, nil
	}
	if len(q.ports) > 1 {
		return q.ports, all && !loop, nil
	}
	return nil, false, nil
}

// allPorts are the ports of the node: of a switch with an enhanced port 0 that too.
func (q *query) allPorts(ctx context.Context) ([]uint8, error) {
	node, err := madrpc.GetSMP[smp.NodeInfo](ctx, q.client, q.to, 0)
	if err != nil {
		return nil, q.fail("smp query nodeinfo failed", err)
	}
	if node.NumPorts == 0 {
		return nil, &diags.Fatal{Text: "smp query nodeinfo: num ports invalid"}
	}
	first := 1
	if node.NodeType == ib.NodeSwitch {
		info, err := madrpc.GetSMP[smp.SwitchInfo](ctx, q.client, q.to, 0)
		if err != nil {
			return nil, q.fail("smp query nodeinfo failed", err)
		}
		if info.EnhancedPort0 {
			first = 0
		}
	}
	var ports []uint8
	for p := first; p <= int(node.NumPorts); p++ {
		ports = append(ports, uint8(p))
	}
	return ports, nil
}

// print prints the counters of a port below a line that says whose they are.
func (q *query) print(title string, port uint8, more string, dump []byte) error {
	if q.JSON {
		return nil
	}
	if _, err := fmt.Fprintf(q.env.Stdout, "# %s: %v port %d%s\n%s", title, q.to, port, more, dump); err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	return nil
}
