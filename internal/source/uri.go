package source

import (
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/ibscope/ibscope/internal/source/core"
)

// URI is a fabric URI in its parts. The name of a sim: URI ends at the question mark.
type URI struct {
	core.URI
	Query url.Values
}

// lonePercent is a percent sign that escapes nothing: people write loss=1%.
var lonePercent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%([^0-9a-fA-F]|.[^0-9a-fA-F]|.?$)`)
})

// Parse splits a URI, and finds the mistakes that are seen without opening anything. Only sim: URIs have arguments after a question mark; in
// the others it is part of the name.
func Parse(text string) (*URI, error) {
	u, err := core.Parse(text)
	switch {
	case err != nil:
		return nil, err
	case u.Scheme == "sim":
		return withArguments(u)
	case u.Scheme == "umad":
		if err := u.CheckPort(); err != nil {
			return nil, err
		}
	case u.Scheme != "ibsim" && u.Scheme != "file":
		return nil, u.Expected("scheme", u.Scheme, core.Schemes)
	}
	return &URI{URI: *u}, nil
}

// withArguments takes the arguments of a sim: URI from its name.
func withArguments(u *core.URI) (*URI, error) {
	name, query, _ := strings.Cut(u.Name, "?")
	query = lonePercent().ReplaceAllString(query, "%25$1")
	query = strings.ReplaceAll(query, ";", "%3B") // switches have it in their descriptions
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, u.Wrap("arguments", err)
	}
	for key, list := range values {
		if len(list) > 1 {
			return nil, u.Expected("argument "+key, strings.Join(list, ", "), "it once")
		}
	}
	parsed := &URI{URI: *u, Query: values}
	parsed.Name = name
	return parsed, nil
}
