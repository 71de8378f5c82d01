package source

import (
	"context"
	"os"
	"strings"

	"github.com/ibscope/ibscope/format"
)

// openFile reads a stored fabric, whatever its format; of a directory, or of
// several files with commas between them, what they hold together.
func openFile(_ context.Context, u *URI, _ *World) (*Source, error) {
	if u.Name == "" {
		return nil, u.expected("file", "", "the name of a file, as in file:fabric.topo")
	}
	if files, many := filesOf(u.Name); many {
		s, err := format.Merge(files...)
		if err != nil {
			return nil, u.wrap("file", err)
		}
		return &Source{Stored: s.Fabric, Snapshot: s.Snapshot()}, nil
	}
	d, err := format.LoadDocument(u.Name)
	if err != nil {
		return nil, u.wrap("file", err)
	}
	if d.Kind == format.Database { // it may have counters too
		if s, err := format.Merge(u.Name); err == nil {
			return &Source{Stored: s.Fabric, Snapshot: s.Snapshot()}, nil
		}
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
