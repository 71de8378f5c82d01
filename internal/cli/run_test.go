package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

// world is what a test gives to a command and gets from it.
type world struct {
	env      map[string]string
	terminal bool // stdout and stderr
	config   string
	sys, dev string
	password string
	now      func() time.Time
	ctx      context.Context

	stdout, stderr bytes.Buffer
}

// run runs a command line and gives its exit code.
func (w *world) run(args ...string) int {
	e := &Env{
		Args: args, Stdin: bytes.NewReader(nil), Stdout: &w.stdout, Stderr: &w.stderr,
		Getenv: func(name string) string { return w.env[name] },
		Now:    func() time.Time { return time.Date(2026, 11, 29, 19, 43, 42, 0, time.UTC) },
		IsTerminal: func(stream any) bool {
			return w.terminal && (stream == io.Writer(&w.stdout) || stream == io.Writer(&w.stderr))
		},
		ReadPassword: func(string) (string, error) {
			if w.password == "" {
				return "", errors.New("no terminal")
			}
			return w.password, nil
		},
		Version:    "1.2.3",
		DiagConfig: w.config,
		Sys:        w.sys,
		Dev:        w.dev,
	}
	if w.now != nil {
		e.Now = w.now
	}
	ctx := w.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	return Run(ctx, e)
}

// run runs a command line in an empty world.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	w := &world{}
	code = w.run(args...)
	return w.stdout.String(), w.stderr.String(), code
}
