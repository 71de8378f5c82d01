package ibtracert

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/trace"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// settings are what the command line says.
type settings struct {
	*diags.Common
	env          *env.Env
	force, brief bool
	multicast    bool
	mlid         uint32
	nameMap      string
	pairs        string // a file
	source, goal string
	namer        ibnetdiscover.Namer
	out          *bufio.Writer
	routes       []*route
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{env: e, out: bufio.NewWriter(e.Stdout)}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, value string) error {
		switch o.Long {
		case "force":
			s.force = true
		case "no_info":
			s.brief = true
		case "mlid":
			s.multicast, s.mlid = true, uint32(diags.LeadingInt(value))
		case "node-name-map":
			s.nameMap = value
		case "ports-file":
			s.pairs = value
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Common = common
	if s.JSON {
		s.out = bufio.NewWriter(io.Discard)
	}
	if s.pairs == "" {
		if len(operands) < 2 {
			return nil, Tool.Usage(e)
		}
		s.source, s.goal = operands[0], operands[1]
	}
	return s, nil
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
	s.namer = s.NodeNames(s.nameMap)
	if s.pairs != "" {
		err = s.file(ctx, client)
	} else if !s.route(ctx, client, s.source, s.goal) {
		err = &diags.Fatal{Text: "Failed to get route information"}
	}
	if s.JSON {
		return s.Finish(err, s.document())
	}
	if flushErr := s.out.Flush(); err == nil && flushErr != nil {
		return &diags.Fatal{Text: flushErr.Error(), Cause: flushErr}
	}
	return err
}

// tracer follows ways and tells in C's words of what goes wrong.
func (s *settings) tracer(client *madrpc.Client) *trace.Tracer {
	return &trace.Tracer{
		Client: client, Force: s.force,
		Warn:   s.warn,
		Failed: func(err error) { s.RPCWarnOf(err, mad.Target.String) },
	}
}

// route prints the way between two ports. It reports false after a warning when
// there is none.
func (s *settings) route(ctx context.Context, client *madrpc.Client, source, goal string) bool {
	s.note(source, goal)
	from, err := s.Resolve(ctx, client, source)
	if err != nil {
		s.Failed(err)
		return s.fail("can't resolve source port %s", source)
	}
	to, err := s.Resolve(ctx, client, goal)
	if err != nil {
		s.Failed(err)
		return s.fail("can't resolve destination port %s", goal)
	}
	t := s.tracer(client)
	var silent trace.Way
	if s.Verbose > 0 {
		silent.Hop = s.fullHop
	}
	path, err := t.Unicast(ctx, ib.DRPath{}, from, silent)
	if err != nil {
		s.tell("find_route", err)
		return s.fail("can't find a route to the src port")
	}
	if s.multicast {
		return s.multicastRoute(ctx, t, path, to)
	}
	if _, err := t.Unicast(ctx, path, to, s.way()); err != nil {
		s.tell("find_route", err)
		return s.fail("can't find a route from src to dest")
	}
	return true
}

func (s *settings) multicastRoute(ctx context.Context, t *trace.Tracer, from ib.DRPath, to mad.Target) bool {
	mlid := ib.LID(s.mlid)
	if s.mlid > uint32(ib.PermissiveLID) || !mlid.IsMulticast() {
		return s.fail("invalid MLID; must be 0xc000 or larger")
	}
	stops, err := t.Multicast(ctx, from, to, mlid)
	if err != nil {
		s.tell("find_mcpath", err)
		return s.fail("can't find a multicast route from src to dest")
	}
	s.multicastWay(stops)
	s.noteMulticast(stops, mlid)
	return true
}

// fail warns as C's get_route does.
func (s *settings) fail(format string, args ...any) bool {
	diags.IBWarn(s.env, "get_route", format, args...)
	return false
}

// tell warns of an error of a way in C's words, or in ours where it has none.
func (s *settings) tell(function string, err error) {
	s.Problem(err)
	var e *trace.Error
	if !errors.As(err, &e) {
		s.env.Complain("%v", err)
		return
	}
	if text := cText(e); text != "" {
		diags.IBWarn(s.env, function, "%s", text)
	}
	s.env.Complain("%v", e)
}

// warn tells of what does not end a way.
func (s *settings) warn(e *trace.Error) {
	s.Problem(e)
	switch e.Reason {
	case trace.EndUnreachable:
		diags.IBWarn(s.env, "find_route", "can't reach to/from ports")
		diags.IBWarn(s.env, "find_route", "Force: look for lid %d", e.LID)
	case trace.Circle:
		s.fullEnd("ERR: circle discovered at", &e.At)
	case trace.NextUnreachable:
		diags.IBWarn(s.env, "find_mcpath", "NodeInfo on %s port %d failed, skipping port", e.Target, e.Out)
	case trace.SkippedSwitch:
		diags.IBWarn(s.env, "find_mcpath", "skipping bad Switch 0x%x", uint64(e.At.Node.NodeGUID))
	}
}
