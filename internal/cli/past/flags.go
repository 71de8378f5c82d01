// Package past is how commands say which history they read, of which fabric, and of
// which time.
package past

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/spf13/pflag"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/history"
)

// DefaultDB is the directory that the service of the system keeps its history in.
const DefaultDB = "/var/lib/ibscope"

// Flags say which history is read.
type Flags struct {
	DB     string
	Fabric string // the name of a fabric in it, "" for the only one
}

// Register adds the flags. The fabric's flag is --fabric, or another where that has
// another meaning.
func (f *Flags) Register(fs *pflag.FlagSet, fabric string) {
	fs.StringVar(&f.DB, "db", DefaultDB, "read the history in `FILE`, or in the directory of ibscope serve --state")
	fs.StringVar(&f.Fabric, fabric, "", "the `NAME` of the fabric in the history; not needed where there is one")
}

// Open opens the history for reading. Errors are *env.ExitError.
func (f *Flags) Open(ctx context.Context) (*history.DB, error) {
	if f.DB == "" {
		return nil, env.Exitf(env.Usage, "--db: expected a file or a directory")
	}
	db, err := history.Open(ctx, f.DB, &history.Options{ReadOnly: true})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, env.Exitf(env.Failed, "%w; \"ibscope serve --state DIRECTORY\" keeps history, and --db says where it is", err)
	case err != nil:
		return nil, &env.ExitError{Code: env.Failed, Err: err}
	}
	return db, nil
}

// Span is the flags --since and --until.
type Span struct {
	Since, Until string

	From, To time.Time // what they mean, after Check; To is zero for now
}

// Register adds the flags.
func (s *Span) Register(fs *pflag.FlagSet, usual string) {
	fs.StringVar(&s.Since, "since", usual, "only what is not older than this `TIME`: 90m, 24h, 7d, 2026-03-01, \"2026-03-01 10:00\"")
	fs.StringVar(&s.Until, "until", "", "only what is older than this `TIME`")
}

// Check reads the flags. The error is a mistake of usage.
func (s *Span) Check(now time.Time) (err error) {
	if s.Since != "" {
		if s.From, err = Time(s.Since, now); err != nil {
			return env.Exitf(env.Usage, "--since: %w", err)
		}
	}
	if s.Until != "" {
		if s.To, err = Time(s.Until, now); err != nil {
			return env.Exitf(env.Usage, "--until: %w", err)
		}
		if !s.From.Before(s.To) {
			return env.Exitf(env.Usage, "--since %s is not before --until %s", s.Since, s.Until)
		}
	}
	return nil
}
