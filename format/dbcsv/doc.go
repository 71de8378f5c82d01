// Package dbcsv reads the database that ibdiagnet writes, .db_csv: sections of
// comma separated values, each with a line of column names. Sections and columns
// are found by name, so that their order and what is new do not matter.
package dbcsv
