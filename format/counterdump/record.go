package counterdump

import (
	"errors"
	"strconv"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/pma"
)

// AllPorts is the Port of a record that holds the sums over all ports of a node.
const AllPorts = 255

// Bounds of what is read of one file.
const (
	MaxRecords = 1 << 23
	MaxValues  = 512 // of one record
)

// ErrNothing is in the error for a text without counters; ErrTooLarge in that for
// one with more than MaxRecords records.
var (
	ErrNothing  = errors.New("no counters in it: expected the output of perfquery or ibqueryerrors, or a .pm file of ibdiagnet")
	ErrTooLarge = errors.New("more counters than a fabric has")
)

// Error is a file that could not be read, with the line, 0 for the file as a whole.
type Error struct {
	Op   string // "read"
	File string
	Line int
	Err  error
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
	}
	return "counterdump: " + e.Op + " " + where + ": " + e.Err.Error()
}

// Unwrap gives ErrNothing, ErrTooLarge or the error of the stream.
func (e *Error) Unwrap() error { return e.Err }

// Record is what was told at one place of the counters of one port. What names the
// port is as the tool printed it; 0 is not told.
type Record struct {
	File string
	Line int

	NodeGUID ib.GUID
	PortGUID ib.GUID
	LID      ib.LID
	Port     int    // AllPorts for the sums over all
	Name     string // of the node, as printed. Untrusted text

	Attribute string // what perfquery calls it: "Port extended", "PortRcvErrorDetails"
	Values    []Value
}

// Value is a counter. Names are those of perfquery, as far as it has one for it.
type Value struct {
	Name string
	N    uint64
	// Extended is true for a counter that is known to have 64 bits.
	Extended bool
	// Saturated is true for one that is known to have less, and stands at its end.
	Saturated bool
}

// Value finds a counter by its name. Where the record has it in two widths it is
// the wider one.
func (r *Record) Value(name string) (uint64, bool) {
	found, ok := Value{}, false
	for _, v := range r.Values {
		if v.Name == name && (!ok || v.Extended || !found.Extended) {
			found, ok = v, true
		}
	}
	return found.N, ok
}

// Add adds a counter by the name that a tool gives it, up to MaxValues.
func (r *Record) Add(name string, n uint64, extended bool) bool {
	if len(r.Values) >= MaxValues {
		return false
	}
	name, isWide := nameOf(name)
	v := Value{Name: name, N: n, Extended: extended || isWide}
	if !v.Extended {
		f, ok := new(pma.PortCounters).Fields().ByC(name)
		v.Saturated = ok && n == f.Max()
	}
	r.Values = append(r.Values, v)
	return true
}

// guid is that of the node, or of the port.
func (r *Record) guid() ib.GUID {
	if r.NodeGUID != 0 {
		return r.NodeGUID
	}
	return r.PortGUID
}
