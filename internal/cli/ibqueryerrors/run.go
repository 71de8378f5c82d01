package ibqueryerrors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/madrpc"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// session is one run of the tool.
type session struct {
	*settings
	client      *madrpc.Client
	names       format.Namer
	levels      map[ib.LID]uint8 // service levels by destination
	interrupted bool             // by the deadline, or by somebody
	sum         summary
	found       document
}

func run(ctx context.Context, e *env.Env) error {
	settings, err := parse(e)
	if err != nil {
		return err
	}
	s := &session{settings: settings, levels: make(map[ib.LID]uint8)}
	ctx, cancel := s.around.Context(ctx)
	defer cancel()
	err = s.open(ctx)
	if err == nil {
		defer s.client.Close()
		err = s.run(ctx)
	}
	return s.Finish(err, s.document())
}

func (s *session) open(ctx context.Context) (err error) {
	if s.client, err = s.around.Client(ctx, s.Common); err != nil {
		var fatal *diags.Fatal
		if errors.As(err, &fatal) {
			fatal.Text, fatal.Blank = fmt.Sprintf("Failed to open port; %s:%d", cmp.Or(s.CA, "(null)"), s.Port), true
		}
	}
	return err
}

// failed ends the tool with a message on stderr.
func (s *session) failed(message string) error {
	fmt.Fprintln(s.env.Stderr, message)
	if !s.HasProblems() {
		s.Problem(errors.New(message))
	}
	return &diags.Exit{Code: diags.ExitFatal}
}

func (s *session) run(ctx context.Context) error {
	if s.around.ByPath && s.around.LoadCache != "" {
		return s.failed("Cannot specify cache and direct route path")
	}
	s.names = s.NodeNames(s.around.NameMap)
	if to := s.around.Locate(ctx, s.Common, s.client); to.LID != 0 && !s.asked["skip-sl"] {
		s.levels[to.LID] = to.SL
	}
	f, err := s.fabric(ctx)
	if err != nil {
		return err
	}
	s.readThresholds()
	nodes, err := s.nodes(ctx, f)
	if err != nil {
		return err
	}
	if !s.asked["skip-sl"] && (!s.around.ByGUID || s.around.ByPath) {
		s.learnLevels(ctx)
	}
	if err := s.collect(ctx, f, nodes); err != nil {
		return err
	}
	return s.end()
}

func (s *session) fabric(ctx context.Context) (*fabric.Fabric, error) {
	if s.around.LoadCache != "" {
		f, err := s.Load(ctx, s.around.LoadCache, "")
		if err != nil {
			return nil, s.failed("loading cached fabric failed")
		}
		return f, nil
	}
	f, err := s.around.Scan(ctx, s.Common, s.client)
	if s.interrupted = sweep.IsInterrupted(err); err != nil && !s.interrupted {
		return nil, s.failed("discover failed")
	}
	return f, nil
}

// nodes are those to report, in the order of the text: the one that is named, or
// all of the wanted types.
func (s *session) nodes(ctx context.Context, f *fabric.Fabric) ([]*fabric.Node, error) {
	nodes := []*fabric.Node{}
	if s.around.Named() {
		port, err := s.named(ctx, f)
		if port != nil && s.isWanted(port.Node()) {
			nodes = append(nodes, port.Node())
		}
		return nodes, err
	}
	for n := range f.Nodes() {
		if s.isWanted(n) {
			nodes = append(nodes, n)
		}
	}
	slices.Reverse(nodes)
	return nodes, nil
}

func (s *session) isWanted(n *fabric.Node) bool {
	return len(s.types) == 0 || slices.Contains(s.types, n.Type())
}

// named finds the port that -G or else -D names; nil if it is not there.
func (s *session) named(ctx context.Context, f *fabric.Fabric) (*fabric.Port, error) {
	guid := ib.GUID(diags.LeadingUint(s.around.GUID))
	if !s.around.ByGUID {
		var err error
		if guid, err = s.around.PortGUID(ctx, s.client); err != nil {
			s.Failed(err)
			fmt.Fprintln(s.env.Stderr, "Failed to query local Node Info")
			return nil, &diags.Exit{Code: 0}
		}
	}
	port, ok := f.PortByGUID(guid)
	if !ok {
		name := cmp.Or(s.around.GUID, s.around.Path)
		fmt.Fprintf(s.env.Stderr, "Failed to find node: %s\n", escape.Text(name))
		s.Problem(fmt.Errorf("node %s is not in the fabric", name))
		return nil, nil
	}
	return port, nil
}
