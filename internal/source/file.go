package source

import (
	"context"
	"os"
	"strings"

	"github.com/ibscope/ibscope/format"
)

// openFile reads a stored fabric, whatever its format; of a directory, or of
// several files with commas between them, what they hold together.
func openFile(ctx context.Context, u *URI, _ *World) (*Source, error) {
	if u.Name == "" {
		return nil, u.expected("file", "", "the name of a file, as in file:fabric.topo")
	}
	return unlessDone(ctx, u, func() (*Source, error) { return readFile(u) })
}

// unlessDone reads files, and gives up when the context ends: a pipe that nobody
// writes to, or a file on a server that is gone, cannot be interrupted otherwise. What is
// still being read then ends with the process.
func unlessDone(ctx context.Context, u *URI, read func() (*Source, error)) (*Source, error) {
	type outcome struct {
		s   *Source
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		s, err := read()
		done <- outcome{s, err}
	}()
	select {
	case o := <-done:
		return o.s, o.err
	case <-ctx.Done():
		return nil, u.wrap("file", ctx.Err())
	}
}

func readFile(u *URI) (*Source, error) {
	if files, many := filesOf(u.Name); many {
		s, err := format.Merge(files...)
		if err != nil {
			return nil, u.wrap("file", err)
		}
		return &Source{Stored: s.Fabric}, nil
	}
	d, err := format.LoadDocument(u.Name)
	if err != nil {
		return nil, u.wrap("file", err)
	}
	return &Source{Stored: d.Fabric, Snapshot: d.Snapshot}, nil
}

// filesOf splits a list of files. A name that is there as a whole is one file,
// commas and all.
func filesOf(name string) (files []string, many bool) {
	if info, err := os.Stat(name); err == nil {
		return []string{name}, info.IsDir()
	}
	for part := range strings.SplitSeq(name, ",") {
		if part != "" {
			files = append(files, part)
		}
	}
	return files, len(files) > 1
}
