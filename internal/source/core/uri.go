package core

import "strings"

// URI is a fabric URI in its parts.
type URI struct {
	Text   string // as given
	Scheme string
	Name   string // what follows the colon
}

// Schemes lists what a URI may begin with, for messages.
const Schemes = "umad:, sim:, ibsim: or file:"

// Parse splits a URI. It does not know which schemes there are.
func Parse(text string) (*URI, error) {
	u := &URI{Text: text}
	scheme, name, found := strings.Cut(text, ":")
	if !found && text != "umad" && text != "ibsim" {
		return nil, u.Expected("scheme", "", Schemes+" in front")
	}
	u.Scheme, u.Name = scheme, name
	return u, nil
}
