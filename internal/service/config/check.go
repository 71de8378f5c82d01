package config

import (
	"net"
	"os"
	"slices"

	"go.yaml.in/yaml/v4"
)

// Check finds mistakes that are not in one place of a file: those that flags make, and
// things that do not go together. Errors are *Error.
func (c *Config) Check() error {
	for i := range c.Fabrics {
		f := &c.Fabrics[i]
		if slices.ContainsFunc(c.Fabrics[:i], func(other Fabric) bool { return other.Name == f.Name }) {
			return c.wrong("two fabrics are called %s: give each a name, NAME=URI", f.Name)
		}
	}
	for _, address := range c.Listen {
		if _, err := ParseAddress(address); err != nil {
			return c.wrong("found %q, expected an address as 127.0.0.1:9805", address)
		}
	}
	for _, set := range c.Metrics.Compat {
		if !slices.Contains(Compat, set) {
			return c.wrong("metrics of %q are not known; there are %v", set, Compat)
		}
	}
	for i := range c.Webhooks {
		if _, err := ParseURL(c.Webhooks[i].URL); err != nil {
			return c.wrong("found %q, expected a URL with http or https", c.Webhooks[i].URL)
		}
	}
	return c.checkDoors()
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
		w, err := ReadWeb(c.WebConfig)
		if err != nil {
			return err
		}
		if w.Passwords || w.Certificates {
			return nil
		}
	}
	for _, address := range c.Listen {
		if !IsLoopback(address) {
			return c.wrong("%s can be reached from elsewhere, and everybody there could read all: give a file of tokens, or a web configuration with passwords or client certificates; or say that the service is open", address)
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

// Web is what a web configuration, as exporters of Prometheus have it, asks of clients.
type Web struct {
	TLS          bool
	Passwords    bool
	Certificates bool // of clients, which are verified
}

// ReadWeb looks into a web configuration. It does not look for mistakes.
func ReadWeb(path string) (w Web, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return w, err
	}
	var content struct {
		TLS struct {
			Cert       string `yaml:"cert"`
			CertFile   string `yaml:"cert_file"`
			ClientAuth string `yaml:"client_auth_type"`
		} `yaml:"tls_server_config"`
		Users map[string]any `yaml:"basic_auth_users"`
	}
	if err := yaml.Unmarshal(text, &content); err != nil {
		return w, &Error{Op: "read", File: path, Err: mistakef("this is not YAML: %v", err)}
	}
	w.TLS = content.TLS.Cert != "" || content.TLS.CertFile != ""
	w.Passwords, w.Certificates = len(content.Users) > 0, content.TLS.ClientAuth == "RequireAndVerifyClientCert"
	return w, nil
}
