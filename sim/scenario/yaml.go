package scenario

import (
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Bounds of a file.
const (
	maxFile   = 1 << 20
	maxErrors = 20 // that are told
)

// file is a file while it is read. Mistakes are collected, so that all are told
// at once.
type file struct {
	name string
	errs []error
}

// Load reads a scenario; name is for messages. Mistakes are an *Error with line
// and column, or several of them joined; those of r stay as they are.
func Load(r io.Reader, name string) (*Scenario, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	f := &file{name: name}
	s := &Scenario{}
	switch root, err := parseYAML(text); {
	case len(text) > maxFile:
		f.fail(1, 1, invalid("the file is larger than %d bytes", maxFile))
	case err != nil:
		f.fail(positionOf(err))
	case root == nil:
		f.fail(1, 1, expected("", "a scenario"))
	default:
		s = f.scenario(root)
	}
	if len(f.errs) > 0 {
		return nil, errors.Join(f.errs...)
	}
	return s, nil
}

// parseYAML gives the root of the only document, nil for none.
func parseYAML(text []byte) (root *yaml.Node, err error) {
	d := yaml.NewDecoder(strings.NewReader(string(text)))
	var document, more yaml.Node
	if err := d.Decode(&document); err != nil || len(document.Content) == 0 {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return nil, err
	}
	if err := d.Decode(&more); err == nil && len(more.Content) > 0 {
		return nil, &Error{Line: max(more.Line, 1), Col: max(more.Column, 1), Err: invalid("found a second document, expected one")}
	} else if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return document.Content[0], nil
}

// positionOf is where the text is not YAML.
func positionOf(err error) (line, col int, cause error) {
	var own *Error
	if errors.As(err, &own) {
		return own.Line, own.Col, own.Err
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	var bad *yaml.LoadError
	if errors.As(err, &bad) {
		return max(bad.Mark.Line, 1), max(bad.Mark.Column, 1), invalid("this is not YAML: %s", bad.Message)
	}
	return 1, 1, invalid("this is not YAML: %s", text)
}

func (f *file) fail(line, col int, err error) {
	if len(f.errs) < maxErrors {
		f.errs = append(f.errs, &Error{Name: f.name, Line: line, Col: col, Err: err})
	}
}

// failAt notes a mistake at a node.
func (f *file) failAt(n *yaml.Node, err error) { f.fail(n.Line, n.Column, err) }

// within puts an error with a column of the text of n into the file.
func (f *file) within(n *yaml.Node, err error) error {
	var inner *Error
	if errors.As(err, &inner) && inner.Name == "" {
		line, col := n.Line, n.Column
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			col += inner.Col - 1
			if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
				col++
			}
		}
		return &Error{Name: f.name, Line: line, Col: col, Err: inner.Err}
	}
	return &Error{Name: f.name, Line: n.Line, Col: n.Column, Err: err}
}

// field is a key of a mapping and what reads its value.
type field struct {
	key  string
	read func(n *yaml.Node)
}

// to reads a scalar into v.
func to[T any](f *file, v *T, what string, parse func(string) (T, error)) func(*yaml.Node) {
	return func(n *yaml.Node) { *v = scalar(f, n, what, parse) }
}

// fields reads a mapping whose keys are among those of the list, each once.
func (f *file) fields(n *yaml.Node, list []field) {
	var keys []string
	for _, s := range list {
		keys = append(keys, s.key)
	}
	known := strings.Join(keys, ", ")
	if n.Kind != yaml.MappingNode {
		f.failAt(n, expected(describe(n), "a mapping with some of "+known))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		at := slices.Index(keys, k.Value)
		switch {
		case k.Kind != yaml.ScalarNode || at < 0:
			f.failAt(k, expected(describe(k), "one of "+known))
		case seen[k.Value]:
			f.failAt(k, invalid("%s is there twice", k.Value))
		default:
			seen[k.Value] = true
			list[at].read(v)
		}
	}
}

// describe is a value in a message.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	return n.Value
}

// list gives the elements of a list.
func (f *file) list(n *yaml.Node, what string) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		f.failAt(n, expected(describe(n), "a list of "+what))
		return nil
	}
	return n.Content
}

// text reads a scalar.
func (f *file) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		f.failAt(n, expected(describe(n), what))
		return ""
	}
	return n.Value
}

// scalar reads a scalar by a function.
func scalar[T any](f *file, n *yaml.Node, what string, parse func(string) (T, error)) T {
	var zero T
	if n.Kind != yaml.ScalarNode {
		f.failAt(n, expected(describe(n), what))
		return zero
	}
	v, err := parse(n.Value)
	if err != nil {
		f.failAt(n, expected(n.Value, what))
		return zero
	}
	return v
}
