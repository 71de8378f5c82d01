package diff

import (
	"context"
	"errors"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/format/fabricdiff"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/survey"
)

// fields are what --without knows.
var fields = []diff.Field{
	diff.Type, diff.Description, diff.NumPorts, diff.SystemImageGUID, diff.VendorID, diff.DeviceID, diff.Revision, diff.Firmware,
	diff.PortGUID, diff.LID, diff.LMC, diff.State, diff.PhysState, diff.MTU, diff.Enabled, diff.Supported, diff.Width, diff.Speed,
}

// found is what is known of a fabric.
type found struct {
	f        *fabric.Fabric
	problems []fabric.Problem
	early    error
}

func (s *settings) run(ctx context.Context, e *env.Env, args []string) error {
	o, err := s.options()
	if err != nil {
		return err
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	a, b, err := s.sides(e, args)
	if err != nil {
		return err
	}
	if a.name == b.name {
		a.name, b.name = "A", "B"
	}
	for _, side := range []*side{&a, &b} {
		if err := s.gather(ctx, e, side); err != nil {
			return err
		}
	}
	r := &fabricdiff.Report{
		A: fabricdiff.Side{Name: a.name, Fabric: a.f}, B: fabricdiff.Side{Name: b.name, Fabric: b.f},
		Changes: diff.Compare(a.f, b.f, o), Name: names.Of(nameMap),
	}
	if s.routes {
		r.Changes = append(r.Changes, diff.CompareRoutes(a.f, b.f)...)
	}
	return s.print.Print(e, r, slices.Concat(a.problems, b.problems), errors.Join(a.early, b.early))
}

func (s *settings) options() (*diff.Options, error) {
	if err := s.print.Check(); err != nil {
		return nil, err
	}
	o := &diff.Options{}
	for _, text := range s.without {
		if !slices.Contains(fields, diff.Field(text)) {
			return nil, env.Exitf(env.Usage, "--without: there is no field %q; there are %v", text, fields)
		}
		o.Without = append(o.Without, diff.Field(text))
	}
	return o, nil
}

// gather gets a fabric, with its forwarding tables if they are compared.
func (s *settings) gather(ctx context.Context, e *env.Env, to *side) error {
	if to.stored {
		return s.gatherStored(ctx, to)
	}
	s.sweep.Fabric = to.uri
	return s.sweep.Visit(ctx, e, func(ctx context.Context, v *sweep.Visited) error {
		to.f, to.early = v.Fabric, v.Early
		to.problems = slices.Clone(v.Fabric.Problems())
		if v.Client != nil && v.Early == nil {
			shot, err := survey.Take(ctx, v.Client, v.Fabric, &survey.Options{Routes: s.routes, Firmware: s.firmware})
			to.early = err
			to.problems = append(to.problems, shot.Problems...)
		}
		return s.hasAll(to)
	})
}

// hasAll refuses a fabric that does not have what is to be compared.
func (s *settings) hasAll(of *side) error {
	if s.firmware && !slices.ContainsFunc(slices.Collect(of.f.Nodes()), hasFirmware) {
		return env.Exitf(env.Failed, "--firmware: that of %s is not known; a snapshot of \"ibscope snapshot --firmware\" has it", of.name)
	}
	if !s.routes {
		return nil
	}
	tables, unread := route.TablesOf(of.f)
	if len(tables) == 0 && len(unread) > 0 {
		return env.Exitf(env.Failed, "--routes: %s has no forwarding tables", of.name)
	}
	return nil
}

func hasFirmware(n *fabric.Node) bool {
	_, ok := n.Firmware()
	return ok
}
