package watch

// Internals that tests look at by themselves.
var (
	Merge = merge
	Same  = same
)
