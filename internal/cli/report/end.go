package report

import (
	"github.com/ibscope/ibscope/internal/cli/env"
)

// maxTold bounds how many problems are told of one by one.
const maxTold = 20

// End tells of the problems of a report that was printed, on stderr, and gives the
// error that the command ends with: nil if the report is complete. Early is why
// gathering it ended early, nil if it did not.
func End(e *env.Env, r *Report, early error) error {
	for i := range r.Problems[:min(len(r.Problems), maxTold)] {
		p := &r.Problems[i]
		if p.Kind != "" {
			e.Complain("%s: %s", p.Kind, p.Message)
		} else {
			e.Complain("%s", p.Message)
		}
	}
	if more := len(r.Problems) - maxTold; more > 0 {
		e.Complain("… and %d more problems", more)
	}
	switch {
	case early != nil:
		return env.Exitf(env.Incomplete, "ended early, the output is what was known by then: %w", early)
	case !r.IsComplete():
		return &env.ExitError{Code: env.Incomplete}
	}
	return nil
}
