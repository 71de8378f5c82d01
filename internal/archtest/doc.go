// Package archtest holds the rules of the tree as tests: which package may
// import which, what library packages never call, how long a file may be.
//
// The table of layers in layers_test.go is the one place where the import
// directions stand. TestImports checks the tree against it, and TestLintConfig
// keeps the depguard rules in .golangci.yml equal to it:
//
//	go test ./internal/archtest -update
package archtest
