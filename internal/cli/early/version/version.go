// Package version tells the version of the program before almost anything else of it is
// initialised; see package early. It is apart from that because it imports less: even
// package strings would have others initialised first.
package version

import (
	"os"

	"github.com/ibscope/ibscope/internal/cli/version"
)

// init ends the process where the version of ibscope is asked for. One that the build has
// not set takes more to find out: package cli does that.
func init() {
	if len(os.Args) != 2 || !isProgram(os.Args[0]) || os.Args[1] != "--version" || version.Stamp() == "" {
		return
	}
	_, _ = os.Stdout.WriteString(version.Text(version.Stamp())) // who cannot read it has asked in vain
	os.Exit(0)
}

// isProgram reports whether the program runs under its own name, not that of a tool.
func isProgram(path string) bool {
	const end = "/ibscope"
	path = "/" + path
	return len(path) >= len(end) && path[len(path)-len(end):] == end
}
