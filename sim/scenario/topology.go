package scenario

import (
	"net/url"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/ibscope/ibscope/sim/gen"
)

// arguments are those that a URI may have besides the parameters of a generator.
var arguments = []string{"node", "host", "port", "adapters", "sm", "routing", "pkeys", "traps", "ping"}

// topology reads a URI, or the same as a mapping: generator and its parameters,
// or file.
func (f *file) topology(n *yaml.Node) string {
	if n.Kind != yaml.MappingNode {
		return scalar(f, n, "a simulated fabric, as sim:fattree?levels=2&radix=8, or a mapping with generator or file", func(s string) (string, error) {
			if !strings.HasPrefix(s, "sim:") || len(s) == len("sim:") {
				return "", invalid("no such URI")
			}
			return s, nil
		})
	}
	var generator, name string
	values := url.Values{}
	list := []field{
		{"generator", to(f, &generator, "the name of a generator", asItIs)},
		{"file", to(f, &name, "the name of a file", asItIs)},
	}
	keys := append([]string(nil), arguments...)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "generator" {
			keys = append(keys, f.parameters(n.Content[i+1])...)
		}
	}
	for _, key := range keys {
		list = append(list, field{key, func(v *yaml.Node) { values.Set(key, f.text(v, "a value")) }})
	}
	f.fields(n, list)
	if (generator == "") == (name == "") {
		f.failAt(n, invalid("expected either generator or file"))
	}
	if name != "" && !filepath.IsAbs(name) {
		name = "./" + filepath.Join(filepath.Dir(f.name), name)
	}
	uri := "sim:" + generator + name
	if len(values) > 0 {
		uri += "?" + values.Encode()
	}
	return uri
}

// parameters are those of a generator.
func (f *file) parameters(n *yaml.Node) []string {
	var names, known []string
	for _, g := range gen.Generators() {
		if g.Name == n.Value {
			for _, p := range g.Params {
				names = append(names, p.Name)
			}
			return names
		}
		known = append(known, g.Name)
	}
	f.failAt(n, expected(describe(n), "one of "+strings.Join(known, ", ")))
	return nil
}
