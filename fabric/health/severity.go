package health

import "fmt"

// Severity is how bad a finding is.
type Severity uint8

// The severities, the mildest first.
const (
	Note     Severity = iota // worth knowing; the fabric works as it should
	Warning                  // it works worse than it could, or something is not known
	Error                    // a part of it does not work
	Critical                 // nodes cannot be reached, or all of it does not work
)

var severityWords = [...]string{"note", "warning", "error", "critical"}

// String is a stable word for outputs: "warning".
func (s Severity) String() string {
	if int(s) < len(severityWords) {
		return severityWords[s]
	}
	return fmt.Sprintf("severity(%d)", uint8(s))
}

// MarshalText is String.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Verdict sums up findings in one word. The words are stable names for outputs.
type Verdict string

// The verdicts.
const (
	Healthy  Verdict = "healthy"  // nothing beyond notes
	Degraded Verdict = "degraded" // it works, with warnings or errors
	Failing  Verdict = "failing"  // something is critical

	// Unknown is for who could not look at all: nothing bad was found so far.
	// Examine, which cannot know, does not give it.
	Unknown Verdict = "unknown"
)
