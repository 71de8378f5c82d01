package nodes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// The words of --type and --role.
var (
	typeWords = []string{"ca", "switch", "router"}
	roleWords = []string{"host", "storage", "management", "gateway", "aggregation", "leaf", "spine", "core", "switch", "router", "unknown"}
)

// check finds mistakes of usage.
func (s *settings) check() error {
	for _, f := range []struct {
		flag           string
		given, allowed []string
	}{{"--type", s.types, typeWords}, {"--role", s.roles, roleWords}} {
		for _, word := range f.given {
			if !slices.Contains(f.allowed, strings.ToLower(word)) {
				return env.Exitf(env.Usage, "%s %s: there are %s", f.flag, word, strings.Join(f.allowed, ", "))
			}
		}
	}
	if err := s.print.Check(columns); err != nil {
		return err
	}
	return s.nodes.Check()
}

func (s *settings) run(ctx context.Context, e *env.Env) error {
	if err := s.check(); err != nil {
		return err
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	return s.sweep.Visit(ctx, e, func(ctx context.Context, v *sweep.Visited) error {
		r, early, err := s.report(ctx, v, names.In(v.Fabric, nameMap))
		if err != nil {
			return err
		}
		if err := s.print.Print(e, r); err != nil {
			return err
		}
		return report.End(e, r, early)
	})
}

// report makes the report. Early is why something is missing from it.
func (s *settings) report(ctx context.Context, v *sweep.Visited, book *names.Book) (r *report.Report, early, err error) {
	l := &lister{
		settings: s, names: book,
		topology: topology.Classify(v.Fabric, &topology.Options{}),
	}
	r = &report.Report{
		Name: "nodes", Title: "Nodes", Source: v.URI, Started: v.Fabric.Sweep().Started,
		Problems: report.Problems(v.Fabric.Problems()),
	}
	early = v.Early
	if s.firmware {
		err := l.askFirmware(ctx, v, r)
		var refused *env.ExitError
		if errors.As(err, &refused) {
			return nil, nil, err
		}
		if early == nil {
			early = err
		}
	}
	r.Table = report.Table{Name: "nodes", Columns: columns}
	for n := range v.Fabric.Nodes() {
		if l.wants(n) {
			r.Table.Rows = append(r.Table.Rows, l.row(n))
		}
	}
	l.summarize(r, v.Fabric)
	return r, early, nil
}

// summarize tells how many nodes there are of each kind.
func (l *lister) summarize(r *report.Report, f *fabric.Fabric) {
	byType := map[ib.NodeType]int{}
	for n := range f.Nodes() {
		byType[n.Type()]++
	}
	r.Counts = []report.Count{
		{Name: "listed", N: len(r.Table.Rows)},
		{Name: "nodes", N: f.NumNodes()},
		{Name: "cas", N: byType[ib.NodeCA]},
		{Name: "switches", N: byType[ib.NodeSwitch]},
		{Name: "routers", N: byType[ib.NodeRouter]},
		{Name: "hosts", N: len(l.topology.Hosts)},
	}
	r.Summary = fmt.Sprintf("%d nodes: %d CAs, %d switches, %d routers; %d hosts",
		f.NumNodes(), byType[ib.NodeCA], byType[ib.NodeSwitch], byType[ib.NodeRouter], len(l.topology.Hosts))
	if n := len(r.Table.Rows); n < f.NumNodes() {
		r.Summary = fmt.Sprintf("%d of %s", n, r.Summary)
	}
}
