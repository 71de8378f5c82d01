// Package report is the one way in which the reports of ibscope print: a table
// for people, in the width of their terminal, or CSV, Markdown, HTML or JSON.
//
// A command describes its columns and fills in rows; the flags --output,
// --output-file, --columns, --sort and --no-header, and what untrusted text needs
// in each format, are here.
package report

import (
	"time"
)

// Report is a table, with what is known about how it came to be.
type Report struct {
	Name    string // "links": the schema is "ibscope.links"
	Title   string // for pages
	Source  string // URI of the fabric
	Started time.Time
	Verdict string // one word for programs; "" for reports that give none

	Table   Table
	Counts  []Count // for programs, in their order
	Summary string  // one line for people
	Details []Table // printed behind the table, as blocks; not in CSV

	Problems []Problem
}

// Table is columns and rows. Each row has a cell for each column.
type Table struct {
	Name    string // of the rows in JSON: "links"
	Title   string // of Details, for people
	Columns []Column
	Rows    [][]Cell

	// Hidden details are in JSON only.
	Hidden bool
}

// Count is a number that the summary line tells too.
type Count struct {
	Name string
	N    int
}

// IsComplete reports whether nothing is missing.
func (r *Report) IsComplete() bool {
	for i := range r.Problems {
		if r.Problems[i].Loss {
			return false
		}
	}
	return true
}

// Column describes a column.
type Column struct {
	// Name is stable: the field in JSON, the title in CSV, the word for --columns
	// and --sort. Columns that are neighbours and have names with the same first part
	// before a dot, as "a.name" and "a.port", are one object in JSON. A unit that is
	// not obvious is the end of the name: "rate_gbps".
	Name  string
	Title string // for people
	Unit  string // for people: stands below the title
	Help  string // what it is, in a few words

	Right bool // aligned to the right, as numbers are

	// Rank says when a table that is too wide goes without the column: the highest
	// first, all of one rank together, those with 0 never. Those from rank 4 on go
	// before texts are cut.
	Rank int
	// Min is the width to which longer texts may be cut, 0 for never.
	Min int
	// Hidden columns are in JSON and CSV, and where --columns names them.
	Hidden bool
}

// find is the index of the column with that name, -1 for none.
func find(columns []Column, name string) int {
	for i := range columns {
		if columns[i].Name == name {
			return i
		}
	}
	return -1
}
