package source

import (
	"context"
	"os"
	"strings"

	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/internal/source/core"
)

// openFile reads a stored fabric, whatever its format; of a directory, or of
// several files with commas between them, what they hold together.
func openFile(_ context.Context, u *core.URI, _ *core.World) (*Source, error) {
	if u.Name == "" {
		return nil, u.Expected("file", "", "the name of a file, as in file:fabric.topo")
	}
	if files, many := filesOf(u.Name); many {
		s, err := format.Merge(files...)
		if err != nil {
			return nil, u.Wrap("file", err)
		}
		return &Source{Stored: s.Fabric, Snapshot: s.Snapshot()}, nil
	}
	d, err := format.LoadDocument(u.Name)
	if err != nil {
		return nil, u.Wrap("file", err)
	}
	if d.Kind == format.Database && isRegular(u.Name) { // it may have counters too, and can be read again
		if s, err := format.Merge(u.Name); err == nil {
			return &Source{Stored: s.Fabric, Snapshot: s.Snapshot()}, nil
		}
	}
	return &Source{Stored: d.Fabric, Snapshot: d.Snapshot}, nil
}

func isRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
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
