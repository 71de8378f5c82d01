package source

import (
	"context"

	"github.com/ibscope/ibscope/format"
)

// openFile reads a stored fabric, whatever its format.
func openFile(_ context.Context, u *URI, _ *World) (*Source, error) {
	if u.Name == "" {
		return nil, u.expected("file", "", "the name of a file, as in file:fabric.topo")
	}
	f, err := format.Load(u.Name)
	if err != nil {
		return nil, u.wrap("file", err)
	}
	return &Source{Stored: f}, nil
}
