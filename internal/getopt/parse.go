package getopt

import "strings"

// Parser parses the command line of one program.
type Parser struct {
	Program string // name in error messages, normally argv[0]
	Options []Option

	// StopAtOperand ends the options at the first operand, as glibc does when
	// POSIXLY_CORRECT is set.
	StopAtOperand bool
}

// Parse goes through args, which has no program name, and calls option for
// each option in the order of the command line. It returns the operands. It
// stops at the first mistake, with an *Error, or at the first error of option.
func (p *Parser) Parse(args []string, option func(o *Option, value string) error) (operands []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			return append(operands, args...), nil
		case strings.HasPrefix(arg, "--"):
			args, err = p.long(arg[2:], args, option)
		case len(arg) > 1 && arg[0] == '-':
			args, err = p.cluster(arg[1:], args, option)
		case p.StopAtOperand:
			return append(append(operands, arg), args...), nil
		default:
			operands = append(operands, arg)
		}
		if err != nil {
			return nil, err
		}
	}
	return operands, nil
}

// long handles one "--name" or "--name=value"; rest are the arguments after it.
func (p *Parser) long(typed string, rest []string, option func(*Option, string) error) ([]string, error) {
	name, value, joined := strings.Cut(typed, "=")
	o, err := p.find(name, typed)
	if err != nil {
		return nil, err
	}
	switch {
	case joined && !o.TakesArgument():
		return nil, p.fail("option '--", o.Long, "' doesn't allow an argument")
	case !joined && o.TakesArgument():
		if len(rest) == 0 {
			return nil, p.fail("option '--", o.Long, "' requires an argument")
		}
		value, rest = rest[0], rest[1:]
	}
	return rest, option(o, value)
}

// find looks a long option up by its name or a prefix of it. An exact match
// wins over prefixes.
func (p *Parser) find(name, typed string) (*Option, error) {
	var candidates []*Option
	for i := range p.Options {
		o := &p.Options[i]
		if o.Long == name {
			return o, nil
		}
		if strings.HasPrefix(o.Long, name) && !o.Extension {
			candidates = append(candidates, o)
		}
	}
	if len(candidates) == 0 {
		return nil, p.fail("unrecognized option '--", typed, "'")
	}
	for _, o := range candidates[1:] {
		if !o.same(candidates[0]) {
			return nil, p.ambiguous(typed, candidates)
		}
	}
	return candidates[0], nil
}

// cluster handles one "-abc"; rest are the arguments after it.
func (p *Parser) cluster(letters string, rest []string, option func(*Option, string) error) ([]string, error) {
	for letters != "" {
		letter := letters[:1]
		letters = letters[1:]
		o := p.short(letter[0])
		value := ""
		switch {
		case o == nil:
			return nil, p.fail("invalid option -- '", letter, "'")
		case !o.TakesArgument():
		case letters != "":
			value, letters = letters, ""
		case len(rest) > 0:
			value, rest = rest[0], rest[1:]
		default:
			return nil, p.fail("option requires an argument -- '", letter, "'")
		}
		if err := option(o, value); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

func (p *Parser) short(letter byte) *Option {
	for i := range p.Options {
		if o := &p.Options[i]; o.Short == letter && letter != 0 {
			return o
		}
	}
	return nil
}
