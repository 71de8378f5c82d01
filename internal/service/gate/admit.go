package gate

import (
	"net"
	"net/http"
	"slices"
	"strings"
)

// isPublic reports whether a path needs no token.
func (o *Options) isPublic(path string) bool {
	return slices.ContainsFunc(o.Public, func(p string) bool {
		begin, open := strings.CutSuffix(p, "*")
		return path == p || open && strings.HasPrefix(path, begin)
	})
}

// admits reports whether a request has a token that lets it in: as a bearer token, or as
// a password, which is what browsers ask people for.
func (o *Options) admits(r *http.Request) bool {
	if o.Tokens == nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		return o.Tokens.Admit(strings.TrimSpace(token))
	}
	_, password, ok := r.BasicAuth()
	return ok && o.Tokens.Admit(password)
}

// isCalledRight reports whether the name by which a client calls the service is one of
// its own.
func (o *Options) isCalledRight(r *http.Request) bool {
	if !o.Local {
		return true
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "" || host == "localhost" || net.ParseIP(strings.Trim(host, "[]")) != nil {
		return true
	}
	return slices.ContainsFunc(o.Hosts, func(name string) bool { return strings.EqualFold(name, host) })
}
