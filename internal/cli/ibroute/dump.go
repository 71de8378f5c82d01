package ibroute

import (
	"context"
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
)

// RunDump runs dump_fts and gives its exit code.
func RunDump(ctx context.Context, e *env.Env) int { return diags.Code(e, dump(ctx, e, &DumpTool)) }

// RunDumpLFTs runs dump_lfts and gives its exit code.
func RunDumpLFTs(ctx context.Context, e *env.Env) int { return runOld(ctx, e) }

// RunDumpMFTs runs dump_mfts and gives its exit code.
func RunDumpMFTs(ctx context.Context, e *env.Env) int { return runOld(ctx, e, "-M") }

// runOld runs dump_fts under an old name, with options before those that were
// typed, and then says what its name is now.
func runOld(ctx context.Context, e *env.Env, options ...string) int {
	replacement := "dump_fts"
	for _, o := range options {
		replacement += " " + o
	}
	args := slices.Concat([]string{"dump_fts"}, options, e.Args[1:])
	inner := e.WithArgs(args...)
	code := RunDump(ctx, inner)
	out := e.Stdout
	if inner.Fatal != nil { // a document was asked for, which is all on stdout
		out = e.Stderr
	}
	fmt.Fprintf(out, "\n*** WARNING ***: this command has been replaced by %s\n\n\n", replacement)
	return code
}

func dump(ctx context.Context, e *env.Env, tool *diags.Tool) error {
	s, err := parse(e, tool)
	if err != nil {
		return err
	}
	s.takeRange(s.operands)
	s.namer = s.NodeNames(s.nameMap)
	f, err := s.Discover(ctx, &discover.Options{})
	if err != nil {
		fmt.Fprintln(e.Stderr, "Failed to discover fabric")
		if s.JSON {
			return err
		}
		return &diags.Exit{Code: diags.ExitFatal}
	}
	client, err := s.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	found := &swept{settings: s, fabric: f}
	for _, n := range slices.Backward(slices.Collect(f.NodesOf(ib.NodeSwitch))) { // C's order
		sw, ok := s.device(n)
		if !ok {
			s.incomplete = true
			continue
		}
		if s.multicast {
			s.dumpMulticast(ctx, client, sw)
		} else {
			s.dumpUnicast(ctx, client, sw, found)
		}
	}
	return s.finish()
}

// device is a switch of the sweep. One without SwitchInfo, which is among the
// problems of the sweep, has no table that could be read.
func (s *settings) device(n *fabric.Node) (*device, bool) {
	info, ok := n.SwitchInfo()
	path, hasPath := n.Path()
	if !ok || !hasPath {
		return nil, false
	}
	to := mad.ByPath(path)
	sw := &device{
		to: to, id: to.String(), guid: n.GUID(), name: nodeName(s, n), ports: uint8(n.NumPorts()), info: info,
	}
	lid, table := ib.LID(0), "LFT"
	if p := n.Port(0); p != nil {
		lid = p.LID()
	}
	if s.multicast {
		table = "MFT"
	}
	sw.unread = func(modifier uint32, err error) bool {
		fmt.Fprintf(s.env.Stderr, "SubnGet(%s) failed on switch '%s' %s Node GUID 0x%x SMA LID %d; MAD status 0x%x AM 0x%x\n",
			table, sw.name, sw.id, uint64(sw.guid), lid, uint16(status(err)), modifier)
		return true
	}
	return sw, true
}
