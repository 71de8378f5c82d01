// Package lines helps readers of line-oriented text: a scanner with bounded
// lines, a cursor over one line, and a bounded list of problems.
package lines
