package wiring

import (
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/ibscope/ibscope/fabric/verify"
)

// Bounds of a file of rules.
const (
	maxRules  = 1000
	maxGroups = 1000
	maxText   = 1 << 20
)

// ReadRules reads rules: a YAML mapping with rules, a list of sentences, and
// groups, which name nodes by patterns. Name is that of the file. The error is an
// *Error, or several of them joined.
func ReadRules(r io.Reader, name string) (*verify.Plan, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return nil, &Error{name, 0, err}
	}
	if len(text) > maxText {
		return nil, &Error{name, 0, ErrTooLarge}
	}
	var document yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&document); err != nil || len(document.Content) == 0 {
		line := 0
		if bad, ok := errors.AsType[*yaml.LoadError](err); ok {
			line, err = bad.Mark.Line, mistake(bad.Message)
		}
		if err == nil || errors.Is(err, io.EOF) {
			err = mistake("it is empty")
		}
		return nil, &Error{name, line, mistakef("expected rules as YAML: %v", err)}
	}
	d := &ruleReader{name: name, plan: &verify.Plan{}, groups: map[string][]string{}}
	d.file(document.Content[0])
	if len(d.errs) > 0 {
		return nil, errors.Join(d.errs...)
	}
	return d.plan, nil
}

type ruleReader struct {
	name   string
	plan   *verify.Plan
	groups map[string][]string // patterns by name
	errs   []error
}

const maxMistakes = 20 // that are told

func (d *ruleReader) fail(n *yaml.Node, err error) {
	if len(d.errs) < maxMistakes {
		d.errs = append(d.errs, &Error{d.name, n.Line, err})
	}
}

func (d *ruleReader) file(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, mistake("expected rules: and groups:"))
		return
	}
	var rules *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch key, value := n.Content[i], n.Content[i+1]; key.Value {
		case "rules":
			rules = value
		case "groups":
			d.readGroups(value)
		default:
			d.fail(key, mistakef("%q is not known; known are rules and groups", key.Value))
		}
	}
	if rules == nil || rules.Kind != yaml.SequenceNode {
		d.fail(n, mistake("expected rules:, a list of sentences"))
		return
	}
	for _, item := range rules.Content {
		switch {
		case item.Kind != yaml.ScalarNode:
			d.fail(item, mistake("expected a rule, a sentence"))
		case len(d.plan.Rules) == maxRules:
			d.fail(item, ErrTooLarge)
			return
		default:
			d.rule(item)
		}
	}
}

// readGroups reads names with a pattern or a list of patterns each.
func (d *ruleReader) readGroups(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, mistake("expected names with patterns, as \"leaf: leaf*\""))
		return
	}
	for i := 0; i+1 < len(n.Content) && len(d.groups) < maxGroups; i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		list := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			list = value.Content
		}
		for _, item := range list {
			if _, err := path.Match(item.Value, ""); item.Kind != yaml.ScalarNode || item.Value == "" || err != nil {
				d.fail(item, mistakef("group %q: expected a pattern, as leaf*, or a list of them", key.Value))
				continue
			}
			d.groups[strings.ToLower(key.Value)] = append(d.groups[strings.ToLower(key.Value)], item.Value)
		}
	}
}

func (d *ruleReader) rule(n *yaml.Node) {
	r, err := d.parse(n.Value)
	if err != nil {
		d.fail(n, err)
		return
	}
	r.Text, r.Where = n.Value, where(d.name, n.Line)
	d.plan.Rules = append(d.plan.Rules, r)
}
