package process

import (
	"runtime"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// processors makes a program that sweeps a fabric run on one processor. Each packet
// passes several goroutines that wait for each other; on several processors they wake
// threads for it, which takes a quarter of the CPU of a sweep and makes it no faster
// (docs/performance.md). Commands that compute or serve keep what the machine has, and
// those that ask little would lose more by the change than by the threads. GOMAXPROCS in
// the environment wins.
func processors(e *env.Env) {
	if sweeps(e) && e.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
}

// sweeps reports whether a tool or a command is asked for that sends many packets.
func sweeps(e *env.Env) bool {
	name := e.Program()
	if name == "ibscope" && len(e.Args) > 1 {
		name = e.Args[1]
	}
	switch name {
	case "discover", "ibnetdiscover", "iblinkinfo", "ibqueryerrors",
		"ibhosts", "ibswitches", "ibrouters", "ibnodes", "dump_fts", "dump_lfts", "dump_mfts":
		return true
	}
	return false
}
