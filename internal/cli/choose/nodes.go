// Package choose is how commands say which nodes and links a report is about.
package choose

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// Nodes are the flags that choose nodes. The zero value is all of them.
type Nodes struct {
	Pattern string
	GUID    string

	guid ib.GUID
}

// Register adds the flags.
func (c *Nodes) Register(fs *pflag.FlagSet) {
	fs.StringVar(&c.Pattern, "node", "", "only nodes whose name fits the `PATTERN`; * stands for any text, ? for a character")
	fs.StringVar(&c.GUID, "guid", "", "only the node with this `GUID`, of itself, of a port or of its system image")
}

// Check reads the flags. The error is a mistake of usage.
func (c *Nodes) Check() error {
	if c.GUID == "" {
		return nil
	}
	var err error
	if c.guid, err = ib.ParseGUID(c.GUID); err != nil {
		return env.Exitf(env.Usage, "--guid: %w", err)
	}
	return nil
}

// All reports whether no node is left out.
func (c *Nodes) All() bool { return c.Pattern == "" && c.GUID == "" }

// Has reports whether a node that goes by one of these names is chosen.
func (c *Nodes) Has(n *fabric.Node, names []string) bool {
	return (c.Pattern == "" || FitsAny(c.Pattern, names)) && (c.GUID == "" || has(n, c.guid))
}

// FitsAny reports whether one of several texts fits a pattern.
func FitsAny(pattern string, texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return Fits(pattern, text) })
}

// has reports whether a GUID is one of a node's.
func has(n *fabric.Node, g ib.GUID) bool {
	info := n.Info()
	if n.GUID() == g || info.PortGUID == g || info.SystemImageGUID == g {
		return true
	}
	for p := range n.Ports() {
		if p.GUID() == g {
			return true
		}
	}
	return false
}

// Fits reports whether a text fits a pattern as a whole. In a pattern * stands for
// any text, also none, ? for one character, and all else for itself.
func Fits(pattern, text string) bool {
	p, s := []rune(pattern), []rune(text)
	star, back := -1, 0 // the last *, and where the text went on behind it
	i, j := 0, 0
	for j < len(s) {
		switch {
		case i < len(p) && p[i] == '*':
			star, back = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == s[j]):
			i, j = i+1, j+1
		case star >= 0: // let the * stand for one more
			back++
			i, j = star+1, back
		default:
			return false
		}
	}
	return strings.Trim(string(p[i:]), "*") == ""
}
