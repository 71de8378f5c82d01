package hostcheck

import "fmt"

// Severity is how much a finding matters.
type Severity uint8

// The severities, from good to bad.
const (
	OK      Severity = iota // as it should be
	Note                    // worth knowing; nothing is in the way
	Warning                 // something does not work, or not as well as it could
	Failure                 // the fabric cannot be reached, or not through this port
)

var severityNames = []string{"ok", "note", "warning", "failure"}

// String is "ok", "note", "warning" or "failure".
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("unknown (%d)", uint8(s))
}

// MarshalText implements encoding.TextMarshaler.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is the outcome of a check. Its texts may hold what hardware or the
// fabric told, which is untrusted: escape it before it goes to a terminal.
type Finding struct {
	Check    Check
	Severity Severity
	Device   string // "mlx5_0"; "" for the host
	Port     int    // 0 for the host, a device, and port 0 of a switch

	Text     string   // one sentence
	Evidence []string // how it is known: the file and what it held, the call and its errno

	// Remedy are lines of a shell script that mends it: commands, and comments
	// that begin with "#". They are not meant to be run unread.
	Remedy []string
}

// Report is all findings, from the bottom up: of the host, then of each device
// followed by its ports.
type Report struct {
	Findings []Finding
}

// Worst is the highest severity in the report.
func (r *Report) Worst() Severity {
	worst := OK
	for i := range r.Findings {
		worst = max(worst, r.Findings[i].Severity)
	}
	return worst
}

// Count is the number of findings of a severity.
func (r *Report) Count(s Severity) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Severity == s {
			n++
		}
	}
	return n
}

// First is the first finding of at least that severity: of failures the one to
// mend first. It is false when there is none.
func (r *Report) First(s Severity) (*Finding, bool) {
	for i := range r.Findings {
		if r.Findings[i].Severity >= s {
			return &r.Findings[i], true
		}
	}
	return nil, false
}

// NoDevice is the likely reason for a host to have no RDMA devices: the first
// failure of the checks up to that for devices, else their last warning. It is
// false when there is neither.
func (r *Report) NoDevice() (*Finding, bool) {
	var last *Finding
	for i := range r.Findings {
		f := &r.Findings[i]
		switch {
		case f.Check == Device:
			return last, last != nil
		case f.Severity == Failure:
			return f, true
		case f.Severity == Warning:
			last = f
		}
	}
	return last, last != nil
}
