package sweep

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// maxProblems bounds how many problems are printed one by one.
const maxProblems = 20

// Complain prints problems on stderr, one line each, the first maxProblems of
// them, and how many more there are.
func Complain(e *env.Env, problems []fabric.Problem) {
	for _, p := range problems[:min(len(problems), maxProblems)] {
		e.Complain("%s: %v", p.Kind, p)
	}
	if more := len(problems) - maxProblems; more > 0 {
		e.Complain("… and %d more problems", more)
	}
}
