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
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/escape"
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
	if s.path != "" && s.loadCache != "" {
		return s.failed("Cannot specify cache and direct route path")
	}
	// A nil map in the Namer would not be nil any more.
	m, err := names.Load(e, s.nameMap)
	if err != nil {
		s.Warn("failed to open node name map \"%s\" (%s)", s.nameMap, names.Reason(err))
	} else if m != nil {
		s.format.Names = m
	}
	scan := &diags.Scan{Hops: s.hops, Outstanding: s.outstanding}
	var named ib.GUID
	if s.loadCache == "" {
		if named, err = s.locate(ctx, scan); err != nil {
			return err
		}
	}
	if s.guid != "" && s.path == "" {
		named = ib.GUID(diags.LeadingUint(s.guid))
	}
	var old *fabric.Fabric
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
	f, err := s.fabric(ctx, scan)
	if err != nil {
		return err
	}
	return s.report(f, old, named)
}

// failed ends the tool with a message on stderr.
func (s *settings) failed(message string) error {
	fmt.Fprintln(s.env.Stderr, message)
	return &diags.Exit{Code: exitFailed}
}

func (s *settings) fabric(ctx context.Context, scan *diags.Scan) (*fabric.Fabric, error) {
	if s.loadCache != "" {
		f, err := s.Load(ctx, s.loadCache, "")
		if err != nil {
			return nil, s.failed("loading cached fabric failed")
		}
		return f, nil
	}
	f, err := s.Scan(ctx, scan)
	if err != nil && scan.Partial {
		diags.IBWarn(s.env, "main", "Partial fabric scan failed; attempting full scan")
		fmt.Fprintln(s.env.Stderr) // the message of C ends in a newline of its own
		scan.Partial = false
		f, err = s.Scan(ctx, scan)
	}
	if err != nil {
		return nil, s.failed("discover failed")
	}
	return f, nil
}

// report prints all nodes, or the one that is named.
func (s *settings) report(f, old *fabric.Fabric, named ib.GUID) error {
	var err error
	name := cmp.Or(s.guid, s.path)
	port, found := f.PortByGUID(named)
	switch {
	case s.all || name == "":
		if old != nil {
			err = format.Diff(s.env.Stdout, old, f, s.checks, &s.format)
		} else {
			err = format.Write(s.env.Stdout, f, &s.format)
		}
	case !found || s.format.Type != 0 && port.Node().Type() != s.format.Type:
		fmt.Fprintf(s.env.Stderr, "Failed to find port: %s\n", escape.Text(name))
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
	return s.failed(fmt.Sprintf("Failed to open %s port %d", cmp.Or(escape.Text(s.CA), "(null)"), s.Port))
}
