package serve

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/umad"
)

// world is what the service sees of its surroundings.
func world(e *env.Env, c *config.Config, logger *slog.Logger) *service.World {
	sources := source.World{Getenv: e.Getenv, Host: umad.Host{Sys: e.Sys, Dev: e.Dev}}
	return &service.World{
		Open:      func(ctx context.Context, uri string) (*service.Source, error) { return open(ctx, &sources, uri) },
		IsMistake: isMistake,
		Opened:    func() error { return become(c, logger) },
		Logger:    logger, Program: program(e), Version: e.Version, Now: e.Now,
	}
}

func program(e *env.Env) string { return "ibscope " + e.Version }

func open(ctx context.Context, w *source.World, uri string) (*service.Source, error) {
	s, err := w.Open(ctx, uri)
	if err != nil {
		return nil, err
	}
	if s.Transport != nil {
		return &service.Source{Transport: s.Transport}, nil
	}
	stored := s.Snapshot
	if stored == nil {
		stored = &snapshot.Snapshot{Fabric: s.Stored, Taken: s.Stored.Sweep().Started}
	}
	return &service.Source{Stored: stored}, nil
}

// isMistake reports whether a URI is wrong as such.
func isMistake(err error) bool {
	return errors.Is(err, source.ErrSyntax) || errors.Is(err, os.ErrInvalid)
}
