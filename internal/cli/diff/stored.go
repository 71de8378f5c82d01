package diff

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/past"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// history are the flags that take one fabric or both from a history.
type history struct {
	from  past.Flags
	since string
	at    string
}

func (h *history) register(c *cobra.Command) {
	f := c.Flags()
	h.from.Register(f, "history-fabric")
	f.StringVar(&h.since, "since", "", "A is the fabric as it was at this `TIME` in the history: 90m, 24h, 7d, 2026-03-01, \"2026-03-01 10:00\"")
	f.StringVar(&h.at, "at", "", "with --since: B is the fabric as it was at this `TIME`")
}

// args checks how many arguments there are.
func (s *settings) args(c *cobra.Command, args []string) error {
	switch {
	case s.history.since == "" && s.history.at != "":
		return fmt.Errorf("--at is for --since: A is the fabric of that time, B that of --at")
	case s.history.since == "":
		return cobra.RangeArgs(1, 2)(c, args)
	case s.history.at != "":
		return cobra.NoArgs(c, args)
	}
	return cobra.MaximumNArgs(1)(c, args)
}

// sides are the two fabrics. Of those from a history A is the one of --since; B that of
// --at, an argument, the fabric of --fabric, or where none is named the last one that
// the history knows.
func (s *settings) sides(e *env.Env, args []string) (a, b side, err error) {
	b = side{uri: s.sweep.URI(e)}
	b.name = b.uri
	if len(args) > 0 {
		b.name, b.uri = args[len(args)-1], sweep.FabricURI(args[len(args)-1])
	}
	if s.history.since == "" {
		a = side{name: args[0], uri: sweep.FabricURI(args[0])}
		if len(args) == 1 {
			b.uri = s.sweep.URI(e)
			b.name = b.uri
		}
		return a, b, nil
	}
	if a, err = s.storedSide(e, "--since", s.history.since); err != nil {
		return a, b, err
	}
	switch {
	case s.history.at != "":
		b, err = s.storedSide(e, "--at", s.history.at)
	case len(args) == 0 && s.sweep.Fabric == "":
		b = side{name: "now", stored: true}
	}
	return a, b, err
}

func (s *settings) storedSide(e *env.Env, flag, text string) (side, error) {
	at, err := past.Time(text, e.Now())
	if err != nil {
		return side{}, env.Exitf(env.Usage, "%s: %w", flag, err)
	}
	return side{name: at.UTC().Format("2006-01-02 15:04:05"), stored: true, at: at}, nil
}

// gatherStored gets a fabric from the history.
func (s *settings) gatherStored(ctx context.Context, to *side) error {
	db, err := s.history.from.Open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	f, snap, err := db.FabricAt(ctx, s.history.from.Fabric, to.at)
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	if to.at.IsZero() {
		to.name = snap.Until.Format("2006-01-02 15:04:05")
	}
	to.f, to.problems = f, slices.Clone(f.Problems())
	return s.hasAll(to)
}

// side is one of the two fabrics.
type side struct {
	name   string    // as in the messages
	uri    string    // of one that is read
	stored bool      // it is in the history
	at     time.Time // as it was at this time; zero for the last
	found
}
