// Package early runs a drop-in tool while the program still starts, before the packages
// that only other commands need are initialised: their tables take longer than most tools
// do. Packages are initialised in the order of their import paths, each as soon as all
// that it imports are (The Go Programming Language Specification, Program
// initialization): what a drop-in tool imports decides how much comes before this
// package. docs/performance.md says what it is worth.
package early

import (
	"context"
	"os"

	"github.com/ibscope/ibscope/internal/cli/applets"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/process"
)

// init ends the process where a tool is asked for. No other package runs code when it is
// imported, and none but cmd/ibscope may import this one.
func init() {
	if _, _, ok := applets.Asked(&env.Env{Args: os.Args}); !ok {
		return
	}
	// Until main begins, its goroutine stays on one thread, and each wait for another
	// goroutine would take two changes of threads.
	go func() { os.Exit(process.Main(run)) }()
	select {}
}

func run(ctx context.Context, e *env.Env) int {
	a, inner, _ := applets.Asked(e)
	return a.Run(ctx, inner)
}
