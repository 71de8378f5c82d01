package report

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/problem"
)

// Problem is something that is missing from a report, or a finding about what is
// there. It has a package of its own for commands that print no report.
type Problem = problem.Problem

// Problems are those of a fabric.
func Problems(list []fabric.Problem) []Problem { return problem.Of(list) }

// Lost is a problem by which something is missing.
func Lost(err error) Problem { return problem.Lost(err) }
