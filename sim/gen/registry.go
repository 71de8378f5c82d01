package gen

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/ibscope/ibscope/fabric"
)

// Generator is a kind of fabric that Parse knows.
type Generator struct {
	Name    string
	Summary string
	Example string // text for Parse
	Params  []Param
	build   func(*params) (*fabric.Fabric, error)
}

// Param is a parameter of a generator.
type Param struct {
	Name    string
	Summary string
	Values  string // what it may be, as "1…8" or "yes, no"
	Default string
}

// Make is Parse with the parameters taken apart already.
func Make(name string, values url.Values) (*fabric.Fabric, error) {
	var names []string
	for _, g := range Generators() {
		if g.Name == name {
			p := params{op: name, values: values}
			if err := p.checkNames(g.Params); err != nil {
				return nil, err
			}
			return g.build(&p)
		}
		names = append(names, g.Name)
	}
	return nil, &Error{Op: "generator", Detail: fmt.Sprintf("%q is not known; known are %s", name, strings.Join(names, ", "))}
}

// Parse makes the fabric that text describes: the name of a generator, and
// after a question mark its parameters in the form of a URL query, as in
// "fattree?levels=3&radix=64&hosts=1024&speed=ndr". Names and parameters that
// are not known, or cannot be, are an Error.
func Parse(text string) (*fabric.Fabric, error) {
	name, query, _ := strings.Cut(text, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, &Error{Op: fmt.Sprintf("%q", name), Detail: fmt.Sprintf("parameters %q cannot be read: %v", query, err)}
	}
	return Make(name, values)
}
