// Package field describes the fields of management attributes as data, so
// that one piece of code can print, encode and look up any of them.
//
// A Table lists the fields of one attribute in the order in which libibmad
// prints them. Over the raw bytes of the attribute it gives the text of the C
// tools (Table.AppendDump), JSON (Table.AppendJSON), and single values by the
// name that the C tools use (Table.ByC). The tables are generated from struct
// tags; see internal/madgen.
//
// All functions accept data of any length: bits that are not there read as 0,
// and dumps and JSON leave out a field that does not fit.
package field
