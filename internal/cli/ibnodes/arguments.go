package ibnodes

import (
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// arguments is what the command line of the shell scripts can say.
type arguments struct {
	file    string
	options []string // for ibnetdiscover
	output  bool     // its form is given
}

// parse reads the command line as the scripts do, which is not getopt: no
// clusters, no abbreviations, values always apart, and an empty argument ends
// it. False asks for the usage.
func parse(args []string) (arguments, bool) {
	var a arguments
	for len(args) > 0 && args[0] != "" {
		switch arg := args[0]; {
		case takesValue(arg):
			if len(args) < 2 || args[1] == "" || strings.HasPrefix(args[1], "-") {
				return a, false
			}
			a.options = append(a.options, arg, args[1])
			a.output = a.output || arg == "-o" || arg == "--output"
			args = args[1:]
		case strings.HasPrefix(arg, "-") || a.file != "":
			return a, false
		default:
			a.file = arg
		}
		args = args[1:]
	}
	return a, true
}

func takesValue(arg string) bool {
	switch arg {
	case "-y", "--m_key", "-C", "--Ca", "-P", "--Port", "-t", "--timeout":
		return true
	case "-o", "--output", "--fabric", "--pcap": // which the scripts do not have
		return true
	}
	return false
}

// common turns the options into those of the C tools. The key of the
// configuration file stays unless -y replaces it; the scripts lose it. The name
// is that of the tool; the world is that in which it ends.
func (a *arguments) common(e *env.Env, name string) (*diags.Common, *env.Env, error) {
	inner := diags.Tool{Name: name}
	e = e.WithArgs(append([]string{"ibnetdiscover"}, a.options...)...)
	c, _, err := inner.Parse(e, nil)
	return c, e, err
}
