package history

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/cli/past"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/escape"
)

// snapshots prints the states of a fabric.
func (s *settings) snapshots(ctx context.Context, e *env.Env) error {
	if err := s.check(ctx, e, snapshotColumns); err != nil {
		return err
	}
	db, err := s.from.Open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	list, err := db.Snapshots(ctx, s.from.Fabric, s.span.From, s.span.To, 0)
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	r := &report.Report{
		Name: "history.snapshots", Title: "States", Source: db.Status().Path,
		Table:   report.Table{Name: "snapshots", Columns: snapshotColumns},
		Counts:  []report.Count{{Name: "states", N: len(list)}},
		Summary: several(len(list), "state"),
	}
	for i := range list {
		v := &list[i]
		row := make([]report.Cell, numSnapshot)
		row[snapFirst], row[snapUntil], row[snapID] = second(v.First), second(v.Until), report.Number(uint64(v.ID))
		row[snapNodes], row[snapLinks], row[snapProblems] = report.Number(v.Nodes), report.Number(v.Links), report.Number(v.Problems)
		row[snapBytes], row[snapWhole] = bytesCell(v.Bytes), report.Flag(v.Whole)
		r.Table.Rows = append(r.Table.Rows, row)
	}
	return s.print.Print(e, r)
}

// save writes a fabric as it was to a file.
func save(ctx context.Context, e *env.Env, from *past.Flags, at, file string) error {
	var when time.Time
	if at != "" {
		var err error
		if when, err = past.Time(at, e.Now()); err != nil {
			return env.Exitf(env.Usage, "--at: %w", err)
		}
	}
	db, err := from.Open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	f, snap, err := db.FabricAt(ctx, from.Fabric, when)
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	named := file == ""
	if named {
		file = snap.Fabric + "-" + snap.First.Format("20060102T150405Z") + ".json.gz"
	}
	shot := &snapshot.Snapshot{Taken: f.Sweep().Started, Tool: "ibscope " + e.Version, Fabric: f}
	if err := output.Write(file, e.Stdout, func(w io.Writer) error { return snapshot.Write(w, shot) }); err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	if named {
		if _, err := fmt.Fprintln(e.Stdout, escape.Text(file)); err != nil {
			return &env.ExitError{Code: env.Failed, Err: err}
		}
	}
	return nil
}
