package getopt

// Option declares one option of a program.
type Option struct {
	Long  string // without the dashes; never empty
	Short byte   // 0 for none
	Arg   string // name of the argument in texts, as "file"; empty for none
	Help  string // one sentence without a full stop

	// Bare is an argument that the usage text shows without angle brackets.
	Bare bool

	// Extension is an option that the C program does not have. It is found by its
	// whole name only, so that no abbreviation of C's becomes ambiguous, and the
	// usage text shows extensions apart from the rest.
	Extension bool
}

// TakesArgument reports whether the option has an argument; it is then required.
func (o *Option) TakesArgument() bool { return o.Arg != "" }

// same reports whether a and b mean the same to the program, so that a prefix
// of both names is not ambiguous. It is glibc's rule: same value and argument.
func (o *Option) same(p *Option) bool {
	return o.Short != 0 && o.Short == p.Short && o.TakesArgument() == p.TakesArgument()
}
