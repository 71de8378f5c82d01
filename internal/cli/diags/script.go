package diags

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/getopt"
)

// ParseScript is Parse for the tools that are scripts in infiniband-diags, whose
// command lines are those of Perl's Getopt::Std: letters alone, and none behind
// the first operand. All options are taken by their full names too, which the
// scripts do not know. The usage text goes to stdout, behind "Usage: " and the name.
func (t *Tool) ParseScript(e *env.Env, usage string, own func(letter byte, value string)) (*Common, []string, error) {
	s := script{tool: t, env: e, usage: usage, own: own, common: &Common{env: e, tool: t, MLXExtendedPortInfo: true}}
	e.Fatal = nil
	s.common.readConfig(e.DiagConfig)
	operands, err := s.parse(e.Args[1:])
	return s.common, operands, err
}

// ScriptUsage prints the usage text and gives the Exit that follows it.
func (t *Tool) ScriptUsage(e *env.Env, usage string) error {
	fmt.Fprintf(e.Stdout, "Usage: %s %s", e.Program(), usage)
	return &Exit{ExitUsage}
}

type script struct {
	tool   *Tool
	env    *env.Env
	usage  string
	own    func(byte, string)
	common *Common
}

func (s *script) parse(args []string) ([]string, error) {
	for len(args) > 0 {
		arg := args[0]
		if len(arg) < 2 || arg[0] != '-' {
			break
		}
		args = args[1:]
		if arg == "--" {
			break
		}
		var err error
		if strings.HasPrefix(arg, "--") {
			args, err = s.long(arg[2:], args)
		} else {
			args, err = s.letters(arg[1:], args)
		}
		if err != nil {
			return nil, err
		}
	}
	return args, nil
}

// long takes an option by the name that the manual page has for it; the scripts
// have none.
func (s *script) long(typed string, rest []string) ([]string, error) {
	name, value, joined := strings.Cut(typed, "=")
	for _, o := range s.tool.AllOptions() {
		if o.Long != name || joined && !o.TakesArgument() {
			continue
		}
		if o.TakesArgument() && !joined {
			if len(rest) == 0 {
				return nil, s.tool.ScriptUsage(s.env, s.usage)
			}
			value, rest = rest[0], rest[1:]
		}
		return rest, s.set(&o, value)
	}
	return nil, s.unknown("-")
}

// letters takes the options of one argument; rest are the arguments after it.
func (s *script) letters(letters string, rest []string) ([]string, error) {
	for letters != "" {
		o := s.find(letters[0])
		if o == nil {
			return nil, s.unknown(letters[:1])
		}
		letters = letters[1:]
		value := ""
		if o.TakesArgument() {
			if letters == "" && len(rest) == 0 {
				return nil, s.tool.ScriptUsage(s.env, s.usage)
			}
			if value = letters; value == "" {
				value, rest = rest[0], rest[1:]
			}
			letters = ""
		}
		if err := s.set(o, value); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

func (s *script) set(o *getopt.Option, value string) error {
	switch {
	case isExtension(o):
		return s.common.setExtension(o, value)
	case o.Short == 'h':
		return s.tool.ScriptUsage(s.env, s.usage)
	case o.Short == 'C' || o.Short == 'P':
		return s.common.set(s.tool, o, value)
	}
	s.own(o.Short, value)
	return nil
}

func (s *script) find(letter byte) *getopt.Option {
	for _, o := range s.tool.AllOptions() {
		if o.Short == letter {
			return &o
		}
	}
	return nil
}

func (s *script) unknown(letter string) error {
	fmt.Fprintf(s.env.Stderr, "Unknown option: %s\n", escape.Text(letter))
	return s.tool.ScriptUsage(s.env, s.usage)
}
