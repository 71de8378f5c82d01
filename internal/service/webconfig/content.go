package webconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"go.yaml.in/yaml/v4"
	"golang.org/x/crypto/bcrypt"
)

// maxFile bounds the file.
const maxFile = 1 << 20

// content is the file as it is written.
type content struct {
	TLS     tlsSection        `yaml:"tls_server_config"`
	HTTP    httpSection       `yaml:"http_server_config"`
	Users   map[string]string `yaml:"basic_auth_users"`
	Limiter limiterSection    `yaml:"rate_limit"`
}

type tlsSection struct {
	Cert        string   `yaml:"cert"`
	Key         string   `yaml:"key"`
	ClientCA    string   `yaml:"client_ca"`
	CertFile    string   `yaml:"cert_file"`
	KeyFile     string   `yaml:"key_file"`
	ClientAuth  string   `yaml:"client_auth_type"`
	ClientCAs   string   `yaml:"client_ca_file"`
	AllowedSANs []string `yaml:"client_allowed_sans"`
	MinVersion  string   `yaml:"min_version"`
	MaxVersion  string   `yaml:"max_version"`
	Ciphers     []string `yaml:"cipher_suites"`
	Curves      []string `yaml:"curve_preferences"`
	Prefer      *bool    `yaml:"prefer_server_cipher_suites"` // means nothing to Go any more
}

type httpSection struct {
	HTTP2   *bool             `yaml:"http2"`
	Headers map[string]string `yaml:"headers"`
}

type limiterSection struct {
	Interval string `yaml:"interval"`
	Burst    int    `yaml:"burst"`
}

// isOn reports whether there is anything about TLS.
func (t *tlsSection) isOn() bool {
	return t.Cert+t.Key+t.ClientCA+t.CertFile+t.KeyFile+t.ClientAuth+t.ClientCAs != ""
}

// read reads and checks a file, but for its certificates.
func read(path string) (*content, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("more than %d bytes", maxFile)
	}
	if err != nil {
		return nil, err
	}
	c := &content{}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, p := range []*string{&c.TLS.CertFile, &c.TLS.KeyFile, &c.TLS.ClientCAs} {
		if *p != "" && !filepath.IsAbs(*p) {
			*p = filepath.Join(filepath.Dir(path), *p)
		}
	}
	return c, errors.Join(checkHeaders(c.HTTP.Headers), checkUsers(c.Users), c.Limiter.check())
}

// headers are those that may be set, with the values that they may have; none for any.
var headers = map[string][]string{
	"Strict-Transport-Security": nil,
	"Content-Security-Policy":   nil,
	"X-Content-Type-Options":    {"nosniff"},
	"X-Frame-Options":           {"deny", "sameorigin"},
	"X-XSS-Protection":          nil,
}

func checkHeaders(set map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(set)) {
		values, known := headers[name]
		if !known {
			return fmt.Errorf("headers: %q cannot be set; expected one of %q", name, slices.Sorted(maps.Keys(headers)))
		}
		if len(values) > 0 && !slices.Contains(values, set[name]) {
			return fmt.Errorf("headers: %s: found %q, expected one of %q", name, set[name], values)
		}
	}
	return nil
}

func checkUsers(users map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(users)) {
		if _, err := bcrypt.Cost([]byte(users[name])); err != nil {
			return fmt.Errorf("basic_auth_users: %q: expected a bcrypt hash, as of htpasswd -nB: %w", name, err)
		}
	}
	return nil
}

// check finds mistakes in the limits.
func (l *limiterSection) check() error {
	if l.Interval == "" {
		return nil
	}
	if d, err := time.ParseDuration(l.Interval); err != nil || d < 0 {
		return fmt.Errorf("rate_limit: interval: found %q, expected a time, as 100ms", l.Interval)
	}
	if l.Burst < 0 {
		return fmt.Errorf("rate_limit: burst: found %d, expected a number of requests", l.Burst)
	}
	return nil
}

// interval is the time from one request to the next one, 0 for no limit.
func (l *limiterSection) interval() time.Duration {
	d, _ := time.ParseDuration(l.Interval) // it has been checked
	return d
}
