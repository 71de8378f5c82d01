package core

import (
	"context"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/umad"
)

// Source is an open source of a fabric: either something that answers
// requests, or a stored fabric.
type Source struct {
	URI       string
	Transport madrpc.Transport // nil for a stored fabric
	Stored    *fabric.Fabric   // nil for a live one

	// Snapshot has what else is stored, where the file is a snapshot.
	Snapshot *snapshot.Snapshot

	// Below is the transport itself, where Transport is one that a tap was put on.
	Below madrpc.Transport

	// Problems are the lines that could not be understood of the file that a
	// simulated fabric comes from: what is simulated lacks them. Those of a
	// stored fabric are in the fabric.
	Problems []fabric.Problem
}

// World is what a source sees of its surroundings.
type World struct {
	Getenv func(string) string
	Host   umad.Host // where kernel ports are

	// Tap, if not nil, takes the transport of each source that is opened, with its
	// URI, and gives the one to use: one that sees what passes. Source.Below is
	// what it was given.
	Tap func(uri string, t madrpc.Transport) madrpc.Transport

	// Others opens what is no kernel port; nil for nothing.
	Others Openers
}

// Open opens the source that a URI names. The context bounds the opening only.
// Errors are *Error.
func (w *World) Open(ctx context.Context, uri string) (*Source, error) {
	u, err := Parse(uri)
	if err != nil {
		return nil, err
	}
	open := w.opener(u.Scheme)
	if open == nil {
		return nil, u.Expected("scheme", u.Scheme, Schemes)
	}
	s, err := open(ctx, u, w)
	if err != nil {
		return nil, err
	}
	s.URI, s.Below = uri, s.Transport
	if w.Tap != nil && s.Transport != nil {
		s.Transport = w.Tap(uri, s.Transport)
	}
	return s, nil
}

// Fabric is the stored fabric, or the result of a sweep; see discover.Run for
// the latter: the fabric is never nil.
func (s *Source) Fabric(ctx context.Context, o *discover.Options) (*fabric.Fabric, error) {
	if s.Stored != nil {
		return s.Stored, nil
	}
	withSource := *o
	withSource.Source = s.URI
	return discover.Run(ctx, s.Transport, &withSource)
}

// Close gives the source back. A stored fabric stays valid.
func (s *Source) Close() error {
	if s.Transport == nil {
		return nil
	}
	return s.Transport.Close()
}
