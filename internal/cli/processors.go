package cli

import "runtime"

// processors makes a program that asks a fabric run on one processor. Each packet
// passes several goroutines that wait for each other; on several processors they wake
// threads for it, which takes a quarter of the CPU of a sweep and makes it no faster
// (docs/performance.md). Commands that compute or serve keep what the machine has, and
// GOMAXPROCS in the environment wins.
func processors(e *Env) {
	if e.Getenv("GOMAXPROCS") == "" && isClient(e) {
		runtime.GOMAXPROCS(1)
	}
}

// isClient reports whether a drop-in tool or a sweep is asked for.
func isClient(e *Env) bool {
	name := e.Program()
	if _, ok := findApplet(name); !ok && len(e.Args) > 1 {
		name = e.Args[1]
	}
	_, ok := findApplet(name)
	return ok || name == "discover"
}
