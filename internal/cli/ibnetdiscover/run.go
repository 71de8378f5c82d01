package ibnetdiscover

import (
	"context"
	"fmt"
	"io"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/cache"
	format "github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/output"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e)
	if err != nil {
		return err
	}
	out, commit, err := s.open(e)
	if err != nil {
		return err
	}
	defer out.Close()
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		s.Warn("failed to open node name map \"%s\" (%s)", s.nameMap, names.Reason(err))
	}
	var old *fabric.Fabric
	if s.diff != "" {
		if old, err = s.Load(ctx, s.diff, " for diff"); err != nil {
			return err
		}
	}
	f, err := s.fabric(ctx, e)
	if err != nil {
		return err
	}
	if err := s.report(e, out, f, old, nameMap); err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	if err := commit(); err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	return s.store(e, f)
}

// nopCloser is stdout, which stays open.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() {}

// open opens the output before the sweep, so that a mistake in its name does
// not cost one.
func (s *settings) open(e *env.Env) (out interface {
	io.Writer
	Close()
}, commit func() error, err error,
) {
	if s.output == "" {
		return nopCloser{e.Stdout}, func() error { return nil }, nil
	}
	f, err := output.Create(s.output)
	if err != nil {
		e.Complain("%v", err)
		return nil, nil, &diags.Fatal{Text: fmt.Sprintf("can't open file %s for writing", s.output), Cause: err}
	}
	return f, f.Commit, nil
}

func (s *settings) fabric(ctx context.Context, e *env.Env) (*fabric.Fabric, error) {
	if s.loadCache != "" {
		return s.Load(ctx, s.loadCache, "")
	}
	o := &discover.Options{MaxOutstanding: max(s.outstanding, 0)}
	if s.show && !s.JSON {
		o.Arrival = func(a discover.Arrival) { showArrival(e.Stdout, &a) }
	}
	return s.Discover(ctx, o)
}

// report prints what was asked for: the ports report comes before lists, these
// before a comparison. The ports report does not go to the topology file.
func (s *settings) report(e *env.Env, out io.Writer, f, old *fabric.Fabric, nameMap format.Namer) error {
	if s.JSON {
		return s.document(e, out, f, old, nameMap)
	}
	o := &format.Options{Time: e.Now(), Names: nameMap, Full: s.full, Grouped: s.grouping, MaxHops: s.maxHops}
	switch {
	case s.ports:
		return format.WritePorts(e.Stdout, f, o)
	case s.list:
		return format.WriteList(out, f, o, s.listTypes...)
	case old != nil:
		return format.Diff(out, old, f, &format.DiffOptions{Names: nameMap, Full: s.full, Checks: s.checks})
	}
	return format.Write(out, f, o)
}

// store writes the cache file.
func (s *settings) store(e *env.Env, f *fabric.Fabric) error {
	if s.cache == "" {
		return nil
	}
	if err := cache.WriteFile(s.cache, f); err != nil {
		e.Complain("%v", err)
		return &diags.Fatal{Text: "caching ibnetdiscover data failed", Blank: true, Cause: err}
	}
	return nil
}
