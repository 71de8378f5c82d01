package simtopologies

import "github.com/ibscope/ibscope/sim/gen"

// topology is a generator in JSON.
type topology struct {
	Name       string      `json:"name"`
	Summary    string      `json:"summary"`
	Example    string      `json:"example"` // a URI
	Parameters []parameter `json:"parameters"`
}

type parameter struct {
	Name    string `json:"name"`
	Summary string `json:"summary,omitempty"`
	Values  string `json:"values"`
	Default string `json:"default"`
}

func toJSON(list []gen.Generator) []topology {
	out := make([]topology, 0, len(list))
	for _, g := range list {
		t := topology{Name: g.Name, Summary: g.Summary, Example: "sim:" + g.Example}
		for _, p := range g.Params {
			t.Parameters = append(t.Parameters, parameter(p))
		}
		out = append(out, t)
	}
	return out
}
