// Package version is the version that a build has put into the program. It imports
// nothing, so that the program can tell it before anything else.
package version

// stamp is set with
// -ldflags "-X github.com/ibscope/ibscope/internal/cli/version.stamp=…".
var stamp string

// Stamp is the version that the build has set, "" if it has not.
func Stamp() string { return stamp }

// Text is what --version prints.
func Text(version string) string { return "ibscope version " + version + "\n" }
