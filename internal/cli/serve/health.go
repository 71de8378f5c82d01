package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/config"
)

// healthWithin is how long a service may take to say that it is there.
const healthWithin = 5 * time.Second

// askHealth asks a service that runs whether it answers, for what keeps containers
// running where there is no other client. Without a path it asks /healthz. A service that
// wants a password there has answered, too.
func askHealth(ctx context.Context, service string) error {
	u, err := healthURL(service)
	if err != nil {
		return &env.ExitError{Code: env.Usage, Err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, healthWithin)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return &env.ExitError{Code: env.Usage, Err: err}
	}
	transport := &http.Transport{DisableKeepAlives: true}
	if config.IsLoopback(net.JoinHostPort(u.Hostname(), "443")) {
		// The certificate is for the name that others ask; nothing secret is sent to this machine.
		transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12} //nolint:gosec // see above
	}
	c := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := c.Do(r)
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: short(u, err)}
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusUnauthorized {
		return env.Exitf(env.Failed, "%s: %s", u.Redacted(), answer.Status)
	}
	return nil
}

// healthURL is what to ask: a URL, or an address as --listen has it.
func healthURL(service string) (*url.URL, error) {
	text := service
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("--health %q: expected a URL, as http://127.0.0.1:9805", service)
	}
	if u.Hostname() == "" { // as in --listen :9805
		u.Host = "127.0.0.1" + u.Host
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/healthz"
	}
	return u, nil
}

// short is an error of a request with its URL once.
func short(u *url.URL, err error) error {
	var told *url.Error
	if errors.As(err, &told) {
		err = told.Err
	}
	return fmt.Errorf("%s: %w", u.Redacted(), err)
}
