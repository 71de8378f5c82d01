package view

import (
	"context"

	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/cli/capture"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/simworld"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/internal/service"
	"github.com/ibscope/ibscope/internal/source"
)

// fabricOf is where a fabric comes from: a source that is opened when it is needed, or
// a simulated fabric whose scenario this command runs.
type fabricOf struct {
	e   *env.Env
	uri string
	sim *simworld.World // nil unless there is a scenario
}

// newFabric finds out which fabric the arguments mean.
func (f *flags) newFabric(e *env.Env, args []string) (*fabricOf, error) {
	if f.sim.Scenario != "" || f.sim.Control != "" {
		w, err := f.sim.Open(args)
		if err != nil {
			return nil, err
		}
		return &fabricOf{e: e, uri: w.URI, sim: w}, nil
	}
	uri := ""
	if len(args) > 0 {
		uri = sweep.FabricURI(args[0])
	} else {
		uri = (&sweep.Flags{}).URI(e)
	}
	return &fabricOf{e: e, uri: uri}, nil
}

// open opens the source.
func (o *fabricOf) open(ctx context.Context, uri string) (*service.Source, error) {
	if o.sim != nil {
		port, err := o.sim.Fabric.AttachAt(o.sim.At.GUID().String(), 0)
		if err != nil {
			return nil, err
		}
		return &service.Source{Transport: port}, nil
	}
	s, err := sweep.OpenSource(ctx, o.e, uri, &capture.Capture{})
	if err != nil {
		return nil, err
	}
	if s.Stored == nil {
		return &service.Source{Transport: s.Transport}, nil
	}
	sweep.Complain(o.e, s.Stored.Problems())
	if s.Snapshot != nil {
		return &service.Source{Stored: s.Snapshot}, nil
	}
	return &service.Source{Stored: &snapshot.Snapshot{Fabric: s.Stored}}, nil
}

// isStored reports whether the fabric is a file.
func (o *fabricOf) isStored() bool {
	u, err := source.Parse(o.uri)
	return err == nil && u.Scheme == "file"
}
