package iblinkinfo

import (
	"cmp"
	"context"
	"errors"
	"fmt"

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

// exitFailed is the exit code of fabrics that cannot be read.
const exitFailed = 1

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e)
	if err != nil {
		return err
	}
	err = s.run(ctx)
	return s.Finish(err, &s.found)
}

func (s *settings) run(ctx context.Context) error {
	if s.around.ByPath && s.around.LoadCache != "" {
		return s.failed("Cannot specify cache and direct route path")
	}
	if s.JSON && s.diff != "" {
		return errors.New("there is no JSON of a comparison: --diff prints text only")
	}
	s.format.Names = s.NodeNames(s.around.NameMap)
	if s.around.LoadCache != "" {
		f, err := s.Load(ctx, s.around.LoadCache, "")
		if err != nil {
			return s.failed("loading cached fabric failed")
		}
		return s.compare(ctx, f, ib.GUID(diags.LeadingUint(s.around.GUID)))
	}
	ctx, cancel := s.around.Context(ctx)
	defer cancel()
	client, err := s.around.Client(ctx, s.Common)
	if err != nil {
		return s.openFailed(err)
	}
	defer client.Close()
	return s.look(ctx, client)
}

// look scans the fabric, or what is around the node that is named, and reports.
func (s *settings) look(ctx context.Context, client *madrpc.Client) error {
	s.around.Locate(ctx, s.Common, client)
	var named ib.GUID
	if !s.all {
		var err error
		if named, err = s.around.PortGUID(ctx, client); err != nil {
			s.Failed(err)
			return s.failed("Failed to get local Node Info")
		}
	}
	f, err := s.around.Scan(ctx, s.Common, client)
	if err != nil && !sweep.IsInterrupted(err) {
		return s.failed("discover failed")
	}
	if failed := s.compare(context.WithoutCancel(ctx), f, named); failed != nil || err == nil {
		return failed
	}
	return &diags.Exit{Code: exitFailed} // what is known has been printed
}

// failed ends the tool with a message on stderr.
func (s *settings) failed(message string) error {
	fmt.Fprintln(s.env.Stderr, message)
	if !s.HasProblems() {
		s.Problem(errors.New(message))
	}
	return &diags.Exit{Code: exitFailed}
}

// compare loads the fabrics that f is compared with, and reports.
func (s *settings) compare(ctx context.Context, f *fabric.Fabric, named ib.GUID) error {
	var old *fabric.Fabric
	var err error
	if s.diff != "" {
		if old, err = s.Load(ctx, s.diff, " for diff"); err != nil {
			return err
		}
	}
	if s.downBefore != "" {
		if s.format.DownBefore, err = s.Load(ctx, s.downBefore, " for filterdownports"); err != nil {
			return err
		}
	}
	return s.report(f, old, named)
}

// report prints all nodes, or the one that is named.
func (s *settings) report(f, old *fabric.Fabric, named ib.GUID) error {
	var err error
	name := cmp.Or(s.around.GUID, s.around.Path)
	port, found := f.PortByGUID(named)
	all := s.all || !s.around.Named()
	switch {
	case !all && (!found || s.format.Type != 0 && port.Node().Type() != s.format.Type):
		fmt.Fprintf(s.env.Stderr, "Failed to find port: %s\n", escape.Text(name))
		if s.JSON {
			s.Problem(fmt.Errorf("port %s is not in the fabric", name))
		}
	case s.JSON && all:
		s.found.note(f, nil, &s.format)
	case s.JSON:
		s.found.note(f, port.Node(), &s.format)
	case all && old != nil:
		err = format.Diff(s.env.Stdout, old, f, s.checks, &s.format)
	case all:
		err = format.Write(s.env.Stdout, f, &s.format)
	case old != nil:
		err = format.DiffNode(s.env.Stdout, port.Node().GUID(), old, f, s.checks, &s.format)
	default:
		err = format.WriteNode(s.env.Stdout, port.Node(), &s.format)
	}
	if err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	return nil
}

// openFailed is what C says on stderr, and how it ends, where there is no port.
func (s *settings) openFailed(err error) error {
	var fatal *diags.Fatal
	if !errors.As(err, &fatal) {
		return err
	}
	s.Problem(fatal.Cause)
	return s.failed(fmt.Sprintf("Failed to open %s port %d", cmp.Or(escape.Text(s.CA), "(null)"), s.Port))
}
