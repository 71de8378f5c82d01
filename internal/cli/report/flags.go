package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
)

// Flags are the flags of all commands that print a report.
type Flags struct {
	// Own are the formats that the command writes itself: Print does not know them, and
	// they have no columns to choose. It is set before Register, as is Format if the
	// default is not the table.
	Own []string

	Format   string
	File     string
	Columns  string
	Sort     string
	NoHeader bool
}

// writers are the values of --output.
var writers = []struct {
	name  string
	write func(io.Writer, *view) error
}{
	{"table", writeTable},
	{"json", writeJSON},
	{"csv", writeCSV},
	{"markdown", writeMarkdown},
	{"html", writeHTML},
}

// Formats are the values of --output.
func Formats() []string {
	list := make([]string, 0, len(writers))
	for i := range writers {
		list = append(list, writers[i].name)
	}
	return list
}

// formats are all values of --output of a command, the default first.
func (f *Flags) formats(first string) []string {
	list := []string{first}
	for _, name := range slices.Concat(f.Own, Formats()) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// IsOwn reports whether the format is one that the command writes itself.
func (f *Flags) IsOwn() bool { return slices.Contains(f.Own, f.Format) }

// Register adds the flags to a command whose report has these columns.
func (f *Flags) Register(c *cobra.Command, columns []Column) {
	fs := c.Flags()
	usual := cmp.Or(f.Format, "table")
	fs.StringVarP(&f.Format, "output", "o", usual, "print a `FORMAT`: "+strings.Join(f.formats(usual), ", "))
	fs.StringVar(&f.File, "output-file", "", "write to `FILE`, which is replaced when the output is complete")
	fs.StringVar(&f.Columns, "columns", "", "print these columns, a `LIST` with commas; +NAME adds one, all stands for all of them")
	fs.StringVar(&f.Sort, "sort", "", "sort by these columns, a `LIST` with commas; -NAME has the largest first")
	fs.BoolVar(&f.NoHeader, "no-header", false, "without titles, of tables and CSV")
	complete(c, "output", f.formats(usual))
	names := make([]string, 0, len(columns))
	for i := range columns {
		names = append(names, columns[i].Name+"\t"+columns[i].Help)
	}
	complete(c, "columns", names)
	complete(c, "sort", names)
}

func complete(c *cobra.Command, flag string, values []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("report: %v", err)) // the flag was added above
	}
}

// ColumnHelp lists columns for the text of a command's help.
func ColumnHelp(columns []Column) string {
	var b strings.Builder
	for i := range columns {
		fmt.Fprintf(&b, "\n  %-20s %s", columns[i].Name, columns[i].Help)
	}
	return b.String()
}

// Check finds mistakes of usage before there is a report.
func (f *Flags) Check(columns []Column) error {
	if f.IsOwn() {
		if f.Columns != "" || f.Sort != "" || f.NoHeader {
			return env.Exitf(env.Usage, "--columns, --sort and --no-header are for tables: add -o table, or -o csv")
		}
		return nil
	}
	if !slices.Contains(Formats(), f.Format) {
		return env.Exitf(env.Usage, "--output %s: there are %s", f.Format, strings.Join(f.formats("table"), ", "))
	}
	if f.NoHeader && f.Format != "table" && f.Format != "csv" {
		return env.Exitf(env.Usage, "--no-header is for tables and CSV: %s needs its titles", f.Format)
	}
	if _, err := f.choose(columns); err != nil {
		return err
	}
	_, err := parseSort(columns, f.Sort)
	return err
}

// choose gives the indices of the columns to print.
func (f *Flags) choose(columns []Column) ([]int, error) {
	var usual, all, chosen []int
	for i := range columns {
		all = append(all, i)
		if !columns[i].Hidden {
			usual = append(usual, i)
		}
	}
	if f.Columns == "" {
		if f.Format == "json" || f.Format == "csv" {
			return all, nil
		}
		return usual, nil
	}
	if strings.HasPrefix(f.Columns, "+") {
		chosen = usual
	}
	for name := range strings.SplitSeq(f.Columns, ",") {
		name = strings.TrimPrefix(name, "+")
		i := find(columns, name)
		switch {
		case name == "all":
			chosen = all
		case i < 0:
			return nil, noColumn("--columns", columns, name)
		case !slices.Contains(chosen, i):
			chosen = append(chosen, i)
		}
	}
	return chosen, nil
}

func noColumn(flag string, columns []Column, name string) error {
	names := make([]string, 0, len(columns))
	for i := range columns {
		names = append(names, columns[i].Name)
	}
	return env.Exitf(env.Usage, "%s: there is no column %q; there are %s", flag, name, strings.Join(names, ", "))
}

// withValues are the columns in which some row has a value.
func withValues(t *Table, columns []int) []int {
	return slices.DeleteFunc(columns, func(c int) bool {
		return len(t.Rows) > 0 && !slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[c].text != "" })
	})
}

// view is a report and how to print it.
type view struct {
	*Report
	chosen   []int // columns
	fixed    bool  // they were asked for by name
	width    int   // of the terminal, 0 for no limit
	colour   bool
	noHeader bool
}

// Print prints a report, sorted as the flags say. Errors are *env.ExitError.
func (f *Flags) Print(e *env.Env, r *Report) error {
	chosen, err := f.choose(r.Table.Columns)
	if err != nil {
		return err
	}
	keys, err := parseSort(r.Table.Columns, f.Sort)
	if err != nil {
		return err
	}
	sortRows(r.Table.Rows, keys)
	if f.Columns == "" && f.Format != "json" && f.Format != "csv" {
		chosen = withValues(&r.Table, chosen)
	}
	v := &view{Report: r, chosen: chosen, fixed: f.Columns != "", noHeader: f.NoHeader}
	if f.File == "" || f.File == "-" {
		v.width, v.colour = e.Columns(e.Stdout), e.Colour(e.Stdout)
	}
	for i := range writers {
		if writers[i].name != f.Format {
			continue
		}
		write := func(w io.Writer) error { return writers[i].write(w, v) }
		if err := output.Write(f.File, e.Stdout, write); err != nil {
			return &env.ExitError{Code: env.Failed, Err: err}
		}
	}
	return nil
}
