package applets

import (
	"strings"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// Asked finds the tool that e.Args asks for: by the base name of the program, or as
// its first argument. inner is the world of the tool, with its own name first. What a
// completion script asks in the name of a tool is not for the tool.
func Asked(e *env.Env) (a Applet, inner *env.Env, ok bool) {
	args := e.Args[min(1, len(e.Args)):]
	if a, ok := Find(e.Program()); ok {
		return a, e, len(args) == 0 || !strings.HasPrefix(args[0], completes)
	}
	if len(args) == 0 {
		return Applet{}, nil, false
	}
	a, ok = Find(args[0])
	return a, e.WithArgs(args...), ok
}

// completes begins the names of the subcommands by which the scripts of cobra ask
// for completions.
const completes = "__complete"

// Find finds a tool by its name. Scripts have an ending in most distributions,
// and so have those that were replaced by programs, iblinkinfo.pl for example.
func Find(name string) (Applet, bool) {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".pl"), ".sh")
	for _, a := range all {
		if a.Tool.Name == name {
			return a, true
		}
	}
	return Applet{}, false
}
