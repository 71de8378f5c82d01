package config

import (
	"errors"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Bounds of a file.
const (
	maxFile     = 1 << 20
	maxMistakes = 20 // that are told
)

// reader reads a file. It collects mistakes, so that all are told at once.
type reader struct {
	file     string
	mistakes []error
}

// ReadFile reads a file. Mistakes in it are one or several *Error; a file that
// cannot be read is what the system says.
func ReadFile(path string) (*Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}

// Read reads a configuration; name stands for the file in messages. The result is not
// completed.
func Read(in io.Reader, name string) (*Config, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, err
	}
	r := &reader{file: name}
	c := &Config{}
	switch root, err := parse(text); {
	case len(text) > maxFile:
		r.note(1, 1, mistakef("the file has more than %d bytes", maxFile))
	case err != nil:
		r.noteSyntax(err)
	case root == nil:
		r.note(1, 1, expected("", "a configuration"))
	default:
		r.config(c, root)
	}
	if len(r.mistakes) > 0 {
		return nil, several(r.mistakes)
	}
	return c, nil
}

// parse gives the root of the only document, nil for none.
func parse(text []byte) (*yaml.Node, error) {
	d := yaml.NewDecoder(strings.NewReader(string(text)))
	var document, more yaml.Node
	err := d.Decode(&document)
	if errors.Is(err, io.EOF) || err == nil && len(document.Content) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	switch err := d.Decode(&more); {
	case err == nil:
		return nil, &Error{Line: max(1, more.Line), Col: max(1, more.Column), Err: mistake("found a second document, expected one")}
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return document.Content[0], nil
}

// noteSyntax notes where a text is not YAML.
func (r *reader) noteSyntax(err error) {
	var own *Error
	var bad *yaml.LoadError
	switch {
	case errors.As(err, &own):
		r.note(own.Line, own.Col, own.Err)
	case errors.As(err, &bad):
		r.note(max(1, bad.Mark.Line), max(1, bad.Mark.Column), mistakef("this is not YAML: %s", bad.Message))
	default:
		r.note(1, 1, mistakef("this is not YAML: %s", strings.Join(strings.Fields(err.Error()), " ")))
	}
}

func (r *reader) note(line, col int, err error) {
	if len(r.mistakes) < maxMistakes {
		r.mistakes = append(r.mistakes, &Error{Op: "read", File: r.file, Line: line, Col: col, Err: err})
	}
}

func (r *reader) noteAt(n *yaml.Node, err error) { r.note(n.Line, n.Column, err) }

// key is a key that a mapping may have, and what reads its value.
type key struct {
	name string
	read func(n *yaml.Node)
}

// mapping reads a mapping whose keys are among some, each once.
func (r *reader) mapping(n *yaml.Node, keys ...key) {
	byName := map[string]func(*yaml.Node){}
	var names []string
	for _, k := range keys {
		byName[k.name] = k.read
		names = append(names, k.name)
	}
	if n.Kind != yaml.MappingNode {
		r.noteAt(n, expected(describe(n), "a mapping with some of "+strings.Join(names, ", ")))
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		read, known := byName[name.Value]
		switch {
		case name.Kind != yaml.ScalarNode || !known:
			r.noteAt(name, expected(describe(name), "one of "+strings.Join(names, ", ")))
		case read == nil:
			r.noteAt(name, mistakef("%s is there twice", name.Value))
		default:
			byName[name.Value] = nil
			read(value)
		}
	}
}

// list gives the elements of a list.
func (r *reader) list(n *yaml.Node, of string, most int) []*yaml.Node {
	switch {
	case n.Kind != yaml.SequenceNode:
		r.noteAt(n, expected(describe(n), "a list of "+of))
		return nil
	case len(n.Content) > most:
		r.noteAt(n, mistakef("found %d %s, expected at most %d", len(n.Content), of, most))
		return nil
	}
	return n.Content
}

// isNull reports whether a value is none: ~, null, or nothing at all.
func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

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
	if isNull(n) {
		return ""
	}
	return n.Value
}
