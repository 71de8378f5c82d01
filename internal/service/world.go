package service

import (
	"context"
	"log/slog"
	"time"

	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/madrpc"
)

// World is what the service sees of its surroundings.
type World struct {
	// Open opens what a URI names. It is called again whenever a port is lost.
	Open func(ctx context.Context, uri string) (*Source, error)
	// IsMistake reports whether an error of Open is about the URI as such: it will not go
	// away. Nil: none is.
	IsMistake func(error) bool

	// Opened, if not nil, is called once, when all ports are open and before anything else
	// is read or written: from then on the service needs no rights beyond those for its
	// files.
	Opened func() error

	Logger  *slog.Logger     // nil for none
	Program string           // name and version
	Version string           // alone
	Now     func() time.Time // nil for time.Now
	Once    bool             // the program ends after Service.Once
}

// Source is an open source of a fabric: something that answers requests, or else a
// stored fabric.
type Source struct {
	Transport madrpc.Transport
	Stored    *snapshot.Snapshot
}

func (w *World) complete() {
	if w.Logger == nil {
		w.Logger = slog.New(slog.DiscardHandler)
	}
	if w.Now == nil {
		w.Now = time.Now
	}
	if w.IsMistake == nil {
		w.IsMistake = func(error) bool { return false }
	}
}

// Error is what keeps the service from starting, or from taking on a configuration.
// errors.Is finds the cause.
type Error struct {
	Op     string // "open", "read names", "stop"
	Fabric string // its name, "" for none
	Err    error
}

func (e *Error) Error() string {
	if e.Fabric != "" {
		return "fabric " + e.Fabric + ": " + e.Op + ": " + e.Err.Error()
	}
	return e.Op + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
