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
	"sync"

	"github.com/ibscope/ibscope/internal/cli/applets"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/process"
	"github.com/ibscope/ibscope/internal/cli/version"
	"github.com/ibscope/ibscope/internal/source/core"
)

// A tool that runs waits for the rest of the program where its fabric is not that of a
// kernel port: it asks for the rest, and gets the openers of all kinds of sources.
var (
	rest    = make(chan struct{})
	openers = make(chan core.Openers, 1)
	running bool
)

// init ends the process where a tool is asked for, unless the tool wants the rest of the
// program. A version that the build has not set takes more to find out: then all is
// done by package cli. No other package runs code when it is imported, and none but
// cmd/ibscope may import this one.
func init() {
	a, _, ok := applets.Asked(&env.Env{Args: os.Args})
	if !ok || version.Stamp() == "" {
		return
	}
	if isLocal(a.Tool.Name) {
		os.Exit(process.Main(run))
	}
	running = true
	// Until main begins, its goroutine stays on one thread, and each wait for another
	// goroutine would take two changes of threads.
	go func() { os.Exit(process.Main(run)) }()
	<-rest
}

func run(ctx context.Context, e *env.Env) int {
	a, inner, _ := applets.Asked(e)
	if !isLocal(a.Tool.Name) {
		wait := sync.OnceValue(func() core.Openers {
			close(rest)
			return <-openers
		})
		inner.Sources = func(scheme string) core.Opener { return wait()(scheme) }
	}
	return a.Run(ctx, inner)
}

// isLocal reports whether a tool looks at this machine only: it waits for nobody, and
// needs no goroutine of its own.
func isLocal(name string) bool {
	switch name {
	case "ibstat", "ibstatus", "ibv_devices", "ibv_devinfo":
		return true
	}
	return false
}

// Continue gives a tool that runs the openers that it waits for, and does not return
// then: the tool ends the process. Without a tool it does nothing.
func Continue(others core.Openers) {
	if running {
		openers <- others
		select {}
	}
}
