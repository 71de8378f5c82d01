package source

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// URI is a fabric URI in its parts.
type URI struct {
	Text   string // as given
	Scheme string
	Name   string // between the colon and the question mark
	Query  url.Values
}

// Schemes lists what a URI may begin with, for messages.
const Schemes = "umad:, sim:, ibsim: or file:"

// lonePercent is a percent sign that escapes nothing: people write loss=1%.
var lonePercent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%([^0-9a-fA-F]|.[^0-9a-fA-F]|.?$)`)
})

// Parse splits a URI. Only sim: URIs have arguments after a question mark; in
// the others it is part of the name.
func Parse(text string) (*URI, error) {
	u := &URI{Text: text}
	scheme, rest, found := strings.Cut(text, ":")
	if !found && text != "umad" && text != "ibsim" {
		return nil, u.expected("scheme", "", Schemes+" in front")
	}
	if _, known := lookup(scheme); !known {
		return nil, u.expected("scheme", scheme, Schemes)
	}
	u.Scheme, u.Name = scheme, rest
	if scheme != "sim" {
		return u, nil
	}
	name, query, _ := strings.Cut(rest, "?")
	query = lonePercent().ReplaceAllString(query, "%25$1")
	query = strings.ReplaceAll(query, ";", "%3B") // switches have it in their descriptions
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, u.wrap("arguments", err)
	}
	for key, list := range values {
		if len(list) > 1 {
			return nil, u.expected("argument "+key, strings.Join(list, ", "), "it once")
		}
	}
	u.Name, u.Query = name, values
	return u, nil
}
