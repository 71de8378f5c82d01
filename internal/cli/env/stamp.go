package env

// stamp is the version that a build sets with
// -ldflags "-X github.com/ibscope/ibscope/internal/cli/env.stamp=…".
var stamp string
