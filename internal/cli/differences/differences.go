// Package differences is how commands print the differences of two fabrics: as a
// table, a line for each, or the document of package format/fabricdiff.
package differences

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/fabricdiff"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/cli/report"
)

// Flags are those of commands that print differences.
type Flags struct {
	print report.Flags
}

// The formats that are not tables.
const (
	asText = "text" // a line for each difference, whatever its length
	asJSON = "json" // package fabricdiff's
)

// Register adds the flags to a command.
func (f *Flags) Register(c *cobra.Command) {
	f.print.Own = []string{asText, asJSON}
	f.print.Register(c, columns)
}

// Help lists the columns for the text of a command's help.
func Help() string { return report.ColumnHelp(columns) }

// Check finds mistakes of usage.
func (f *Flags) Check() error { return f.print.Check(columns) }

// Print prints what a comparison has found, tells on stderr what could not be read,
// and gives the error that the command ends with: nil where there is no difference,
// and nothing is missing. Early is why a part of it ended early, nil if none did.
func (f *Flags) Print(e *env.Env, r *fabricdiff.Report, problems []fabric.Problem, early error) error {
	t := table(r)
	t.Problems = report.Problems(problems)
	if err := f.write(e, r, t); err != nil {
		return err
	}
	if err := report.End(e, t, early); err != nil {
		return err
	}
	if len(r.Changes) > 0 {
		return &env.ExitError{Code: env.Findings}
	}
	return nil
}

func (f *Flags) write(e *env.Env, r *fabricdiff.Report, t *report.Report) error {
	write := fabricdiff.Write
	switch f.print.Format {
	case asJSON:
		write = fabricdiff.WriteJSON
	case asText:
	default:
		return f.print.Print(e, t)
	}
	if err := output.Write(f.print.File, e.Stdout, func(w io.Writer) error { return write(w, r) }); err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	return nil
}
