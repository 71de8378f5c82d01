package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// mention is a fabric that a file names: it has to be one that is watched. Which those
// are is known only when the flags have had their say, too.
type mention struct {
	fabric    string
	file      string
	line, col int
}

// mentions notes the names of fabrics of a list.
func (r *reader) mentions(c *Config, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		return // which has been told
	}
	for _, element := range n.Content {
		c.mentions = append(c.mentions, mention{element.Value, r.file, element.Line, element.Column})
	}
}

// checkMentions wants that each fabric that is named is there.
func (c *Config) checkMentions() error {
	var names []string
	for i := range c.Fabrics {
		names = append(names, c.Fabrics[i].Name)
	}
	var unknown several
	for _, m := range c.mentions {
		if !slices.Contains(names, m.fabric) && len(unknown) < maxMistakes {
			err := expected(m.fabric, "the name of a fabric: "+cut(strings.Join(names, ", ")))
			unknown = append(unknown, &Error{Op: "check", File: m.file, Line: m.line, Col: m.col, Err: err})
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return unknown
}
