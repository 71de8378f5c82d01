// Package process is what a command of ibscope has around it in a process of its own:
// the world of that process, its signals and its processors.
package process

import (
	"context"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// Main runs a command in the world of this process and gives its exit code. The first
// interrupt ends the work early, a second one the process.
func Main(run func(context.Context, *env.Env) int) int {
	ctx := &interruptible{}
	defer ctx.Close()
	e := env.System()
	processors(e)
	return run(ctx, e)
}
