package ibclear

import (
	"context"
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/counters"
)

// exitFailed is the exit code when counters were not reset.
const exitFailed = 1

// document is what was done.
type document struct {
	Nodes    int `json:"nodes_cleared"`
	Failures int `json:"nodes_failed"`
}

// plan is what would be done.
type plan struct {
	DryRun bool `json:"dry_run"`
	Nodes  int  `json:"nodes"`
	Ports  int  `json:"ports"`
}

func run(ctx context.Context, e *env.Env, tool *diags.Tool, what counters.What) error {
	dryRun := false
	c, operands, err := tool.Parse(e, func(o *getopt.Option, _ string) error {
		dryRun = dryRun || o.Long == diags.DryRunOption.Long
		return nil
	})
	if err != nil {
		return err
	}
	var f *fabric.Fabric
	if len(operands) > 0 {
		f, err = c.Load(ctx, operands[0], "")
	} else {
		f, err = c.Discover(ctx, &discover.Options{})
	}
	if err != nil {
		return err
	}
	agents, owners := agentsOf(f)
	if dryRun {
		return tell(c, e, f, agents)
	}
	client, err := c.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	failed := map[*fabric.Node]bool{}
	for _, port := range unreachable(f) {
		c.Failed(&diags.Fatal{Text: fmt.Sprintf("node %s %q port %d: not reset, because the port has no LID",
			port.Node().GUID(), port.Node().Description(), port.Num())})
		failed[port.Node()] = true
	}
	notAsked := map[*fabric.Node]bool{}
	for i, err := range counters.Clear(ctx, client, agents, what) {
		var request *madrpc.Error
		switch {
		case err == nil:
			continue
		case errors.As(err, &request):
			c.Failed(err)
		default: // of an interrupt
			notAsked[owners[i]] = true
		}
		failed[owners[i]] = true
	}
	if len(notAsked) > 0 {
		c.Failed(&diags.Fatal{Text: fmt.Sprintf("counters of %d nodes not reset: %v", len(notAsked), context.Cause(ctx))})
	}
	done := document{Nodes: f.NumNodes() - len(failed), Failures: len(failed)}
	if c.JSON {
		err = c.PrintDocument(done)
	} else {
		_, err = fmt.Fprintf(e.Stdout, "\n## Summary: %d nodes cleared %d errors\n", done.Nodes, done.Failures)
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case done.Failures > 0:
		return &diags.Exit{Code: exitFailed}
	}
	return nil
}

// tell says what would be done.
func tell(c *diags.Common, e *env.Env, f *fabric.Fabric, agents []counters.Node) error {
	left := map[*fabric.Node]bool{}
	for _, port := range unreachable(f) {
		left[port.Node()] = true
	}
	plan := plan{Nodes: f.NumNodes() - len(left), DryRun: true}
	for i := range agents {
		plan.Ports += len(agents[i].Ports)
	}
	if c.JSON {
		return c.PrintDocument(plan)
	}
	_, err := fmt.Fprintf(e.Stdout, "Dry run: would reset counters of %d nodes, %d ports; nothing was sent to them\n", plan.Nodes, plan.Ports)
	return err
}

// agentsOf lists whom to ask: a switch at the LID of its port 0, for all ports;
// others at each cabled port. Owners are their nodes.
func agentsOf(f *fabric.Fabric) (agents []counters.Node, owners []*fabric.Node) {
	for n := range f.Nodes() {
		var ports []uint8
		for p := range n.Ports() {
			switch {
			case n.Type() != ib.NodeSwitch:
				if p.Remote() != nil && p.LID() != 0 {
					agents = append(agents, counters.Node{To: mad.ByLID(p.LID()), Ports: []uint8{uint8(p.Num())}})
					owners = append(owners, n)
				}
			case p.Num() == 0:
				if info, ok := n.SwitchInfo(); ok && info.EnhancedPort0 {
					ports = append(ports, 0)
				}
			case p.Remote() != nil:
				ports = append(ports, uint8(p.Num()))
			}
		}
		if p := n.Port(0); n.Type() == ib.NodeSwitch && p != nil && p.LID() != 0 {
			agents = append(agents, counters.Node{To: mad.ByLID(p.LID()), Ports: ports})
			owners = append(owners, n)
		}
	}
	return agents, owners
}

// unreachable lists the ports whose agents agentsOf would name if they had LIDs.
func unreachable(f *fabric.Fabric) (ports []*fabric.Port) {
	for n := range f.Nodes() {
		for p := range n.Ports() {
			isAgent := p.Num() == 0
			if n.Type() != ib.NodeSwitch {
				isAgent = p.Remote() != nil
			}
			if isAgent && p.LID() == 0 {
				ports = append(ports, p)
			}
		}
	}
	return ports
}
