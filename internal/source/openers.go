package source

import (
	"context"
	"net"

	"github.com/ibscope/ibscope/internal/source/core"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/umad"
)

// Source is an open source of a fabric; see package core.
type Source = core.Source

// World is what a source of any kind sees of its surroundings: a core.World with Others.
type World struct {
	Getenv func(string) string
	Host   umad.Host // where kernel ports are

	// Tap, if not nil, puts something on each transport that is opened.
	Tap func(uri string, t madrpc.Transport) madrpc.Transport
}

// Open opens the source that a URI names. The context bounds the opening only.
// Errors are *Error.
func (w *World) Open(ctx context.Context, uri string) (*Source, error) {
	all := core.World{Getenv: w.Getenv, Host: w.Host, Tap: w.Tap, Others: Others}
	return all.Open(ctx, uri)
}

// Open opens a source in the world of this process, but for its environment.
func Open(ctx context.Context, uri string, getenv func(string) string) (*Source, error) {
	w := World{Getenv: getenv}
	return w.Open(ctx, uri)
}

// UmadURI is the URI of a kernel port, from a CA name and a port number that
// may be missing ("" and 0).
func UmadURI(ca string, port int) string { return core.UmadURI(ca, port) }

// openNamedIbsim connects to an ibsim on a host that has a name.
func openNamedIbsim(ctx context.Context, u *core.URI, w *core.World) (*Source, error) {
	return core.OpenIbsim(ctx, u, w, net.DefaultResolver.LookupHost)
}

// Others gives the openers that package core does not have; a new kind of source is one
// more line.
func Others(scheme string) core.Opener {
	switch scheme {
	case "ibsim":
		return openNamedIbsim
	case "sim":
		return within(openSim)
	case "file":
		return within(openFile)
	}
	return nil
}
