package config

import (
	"log/slog"
	"net"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/internal/service/webconfig"
)

// Check finds mistakes that are not in one place of a file: those that flags make, and
// things that do not go together. Errors are *Error.
func (c *Config) Check() error {
	for i := range c.Fabrics {
		f := &c.Fabrics[i]
		if slices.ContainsFunc(c.Fabrics[:i], func(other Fabric) bool { return other.Name == f.Name }) {
			return c.wrong("two fabrics are called %s: give each a name, NAME=URI", f.Name)
		}
		if i := slices.IndexFunc(c.Fabrics[:i], func(other Fabric) bool { return isSamePort(other.Source, f.Source) }); i >= 0 {
			return c.wrong("fabrics %s and %s are the same port, %s, which would be asked everything twice", c.Fabrics[i].Name, f.Name, f.Source)
		}
	}
	for _, address := range c.Listen {
		if _, err := ParseAddress(address); err != nil {
			return c.wrong("listen: found %q, expected an address as 127.0.0.1:9805", address)
		}
	}
	for _, set := range c.Metrics.Compat {
		if !slices.Contains(Compat, set) {
			return c.wrong("compat: found %q, expected one of %s", set, strings.Join(Compat, ", "))
		}
	}
	for _, path := range c.Public {
		if !IsPath(path) {
			return c.wrong("public: %v", expected(path, PathText))
		}
	}
	if _, err := parseTextfile(c.Metrics.Textfile); c.Metrics.Textfile != "" && err != nil {
		return c.wrong("textfile: %v", expected(c.Metrics.Textfile, "a file that ends in .prom"))
	}
	if err := checkNATS(c.Fleet.URL); c.Fleet.URL != "" && err != nil {
		return c.wrong("--nats: %v", err)
	}
	for i := range c.Webhooks {
		if _, err := ParseURL(c.Webhooks[i].URL); err != nil {
			return c.wrong("webhook: found %q, expected a URL with http or https", c.Webhooks[i].URL)
		}
		if slices.ContainsFunc(c.Webhooks[:i], func(other Webhook) bool { return other.Name == c.Webhooks[i].Name }) {
			return c.wrong("two webhooks are called %s: give them names in a file", c.Webhooks[i].Name)
		}
	}
	if err := c.checkMentions(); err != nil {
		return err
	}
	return c.checkDoors()
}

// isSamePort reports whether two sources are the same port of this host, as far as the
// text tells. Of a simulated fabric each is another one.
func isSamePort(a, b string) bool {
	return umadPort(a) != "" && umadPort(a) == umadPort(b)
}

// umadPort is a source that is a port of this host in one form, "" for others.
func umadPort(source string) string {
	if scheme, rest, _ := strings.Cut(source, ":"); scheme == "umad" {
		return "umad:" + rest
	}
	return ""
}

func (c *Config) wrong(format string, args ...any) error {
	return &Error{Op: "check", Err: mistakef(format, args...)}
}

// checkDoors refuses to tell everybody in the network everything, unless that is wanted.
func (c *Config) checkDoors() error {
	if c.Open || c.Tokens != "" {
		return nil
	}
	if c.WebConfig != "" {
		w, err := webconfig.Open(c.WebConfig, slog.New(slog.DiscardHandler))
		if err != nil {
			return err
		}
		if w.Passwords() || w.Certificates() {
			return nil
		}
	}
	for _, address := range c.Listen {
		if !IsLoopback(address) {
			return c.wrong("listen: %s can be reached from elsewhere, and everybody there could read all: give --token-file (tokens), or --web.config.file (web_config) with passwords or client certificates, or --open", address)
		}
	}
	return nil
}

// IsLoopback reports whether an address to listen to can be reached from this machine
// only.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
