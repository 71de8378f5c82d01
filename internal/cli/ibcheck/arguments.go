package ibcheck

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
)

// arguments is what a command line says.
type arguments struct {
	*diags.Common
	env      *env.Env // the world in which the tool ends
	flags    map[byte]bool
	operands []string
	limits   thresholds
}

// parse reads the command line as the scripts do, which is not getopt: no clusters,
// values always apart. The scripts that look at one node end their options at the
// first operand; those of a fabric do not. An *Exit is a usage text, or -s.
func (p *program) parse(e *env.Env) (*arguments, error) {
	a := &arguments{flags: map[byte]bool{}, limits: usualThresholds()}
	common := []string{e.Program()}
	args := e.Args[1:]
	for len(args) > 0 && args[0] != "" {
		arg := args[0]
		args = args[1:]
		if name, ok := withValue(arg); ok {
			if len(args) == 0 || args[0] == "" || strings.HasPrefix(args[0], "-") {
				return nil, p.fail(e)
			}
			common, args = append(common, name, args[0]), args[1:]
			continue
		}
		if arg == "-T" && p.tool == &Errors {
			if err := p.readThresholds(e, a, args); err != nil {
				return nil, err
			}
			args = args[1:]
			continue
		}
		if !strings.HasPrefix(arg, "-") {
			a.operands = append(a.operands, arg)
			if p.walk == nil {
				a.operands = append(a.operands, args...)
				args = nil
			}
			continue
		}
		if err := p.flag(e, a, arg); err != nil {
			return nil, err
		}
	}
	if err := p.checkOperands(e, a); err != nil {
		return nil, err
	}
	inner := diags.Tool{Name: p.tool.Name}
	a.env = e.WithArgs(common...)
	c, _, err := inner.Parse(a.env, nil)
	a.Common = c
	return a, err
}

// withValue is how infiniband-diags calls an option that has a value.
func withValue(arg string) (name string, ok bool) {
	switch arg {
	case "-P", "-C", "-t", "--Port", "--Ca", "--timeout":
		return arg, true
	case "-timeout":
		return "-t", true
	case "-o", "--output", "--fabric", "--pcap", "-Y", "--pkey-idx": // which the scripts do not have
		return arg, true
	}
	return "", false
}

// flag takes an option without a value.
func (p *program) flag(e *env.Env, a *arguments, arg string) error {
	letter := byte(0)
	switch {
	case arg == "-nocolor":
		letter = 'N'
	case len(arg) == 2:
		letter = arg[1]
	default:
		for _, o := range p.tool.OwnOptions() {
			if arg == "--"+o.Long && !o.TakesArgument() {
				letter = o.Short
			}
		}
	}
	if letter == 'h' || !has(p.letters, letter) {
		return p.fail(e)
	}
	a.flags[letter] = true
	switch letter {
	case 'v':
		delete(a.flags, 'b')
	case 'b':
		delete(a.flags, 'v')
	case 's':
		a.limits.print(e.Stdout)
		return &diags.Exit{Code: 0}
	}
	return nil
}

func (p *program) checkOperands(e *env.Env, a *arguments) error {
	n := len(a.operands)
	if p.walk != nil {
		if n > 1 {
			return p.fail(e)
		}
		return nil
	}
	if n < 1 || p.port == mustPort && n < 2 {
		return p.fail(e)
	}
	if p.port != noPort && n > 1 {
		if _, err := strconv.ParseUint(a.operands[1], 0, 8); err != nil {
			e.Complain("port %s: expected a number, 0…255", a.operands[1])
			return p.fail(e)
		}
	}
	return nil
}

func (p *program) readThresholds(e *env.Env, a *arguments, args []string) error {
	if len(args) == 0 {
		return p.fail(e)
	}
	f, err := os.Open(args[0])
	if err != nil {
		fmt.Fprintf(e.Stdout, "Can't use threshold file '%s'\n", escape.Text(args[0]))
		return p.fail(e)
	}
	defer f.Close()
	if err := a.limits.read(f); err != nil {
		e.Complain("%s: %v", args[0], err)
		return p.fail(e)
	}
	return nil
}

// fail prints the usage text, and gives the Exit that follows it.
func (p *program) fail(e *env.Env) error {
	fmt.Fprintf(e.Stdout, "Usage: %s %s\n", e.Program(), p.usage)
	return &diags.Exit{Code: diags.ExitFatal}
}
