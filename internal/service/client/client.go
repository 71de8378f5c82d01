// Package client asks a running service by its HTTP API.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/service/api"
)

// Error is a question that was not answered. errors.Is sees os.ErrPermission where the
// service wants another token, os.ErrNotExist for what it does not know, and what the
// network says.
type Error struct {
	URL    string
	Status int    // 0: there was no answer
	Detail string // the service's own words
	Err    error
}

func (e *Error) Error() string {
	switch {
	case e.Status == http.StatusUnauthorized:
		return fmt.Sprintf("%s: the service wants a token: give its file", e.URL)
	case e.Detail != "":
		return fmt.Sprintf("%s: %s", e.URL, e.Detail)
	case e.Status >= 300 && e.Status < 400:
		return fmt.Sprintf("%s: it is said to be elsewhere (%d %s): give that URL, if it can be trusted", e.URL, e.Status, http.StatusText(e.Status))
	case e.Status != 0:
		return fmt.Sprintf("%s: %d %s", e.URL, e.Status, http.StatusText(e.Status))
	}
	return fmt.Sprintf("%s: %v", e.URL, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is finds the errors of package os.
func (e *Error) Is(target error) bool {
	switch target {
	case os.ErrPermission:
		return e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden
	case os.ErrNotExist:
		return e.Status == http.StatusNotFound
	}
	return false
}

// Client asks one service. It is safe for concurrent use but for Cached.
type Client struct {
	base  *url.URL
	token string
	http  *http.Client
}

// New makes a client of the service at a URL, as "http://127.0.0.1:9805"; the token may
// be "". The error is about the URL.
func New(service, token string) (*Client, error) {
	if !strings.Contains(service, "://") {
		service = "http://" + service
	}
	u, err := url.Parse(service)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("service %q: expected a URL, as http://127.0.0.1:9805", service)
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + api.Prefix
	return &Client{base: u, token: token, http: &http.Client{
		Transport: transport(),
		// A token goes to the service that it is for, and to nobody else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Close closes connections that wait for the next question.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// String is the URL of the service.
func (c *Client) String() string {
	u := *c.base
	u.Path = strings.TrimSuffix(u.Path, api.Prefix)
	return u.Redacted()
}

// request makes a request for a path below the API's prefix.
func (c *Client) request(ctx context.Context, path string, query url.Values) (*http.Request, error) {
	u := *c.base
	u.Path += path
	u.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	return r, nil
}

// do sends a request; every answer but 200 and 304 is an *Error.
func (c *Client) do(r *http.Request) (*http.Response, error) {
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, failed(r, err)
	}
	if answer.StatusCode == http.StatusOK || answer.StatusCode == http.StatusNotModified {
		return answer, nil
	}
	defer answer.Body.Close()
	e := &Error{URL: r.URL.Redacted(), Status: answer.StatusCode, Err: errors.New(answer.Status)}
	var told api.ErrorAnswer
	if json.NewDecoder(io.LimitReader(answer.Body, 64<<10)).Decode(&told) == nil {
		e.Detail = shown(told.Detail)
	}
	return nil, e
}

// errSlow is why a question was given up.
var errSlow = errors.New("there is no whole answer in time")

// failed is an error of the network.
func failed(r *http.Request, err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if r.Context().Err() != nil {
		err = context.Cause(r.Context())
	}
	at := *r.URL
	at.RawQuery = "" // it has nothing to do with it
	return &Error{URL: at.Redacted(), Err: err}
}

// shown is what a service says, in one line that is not too long.
func shown(detail string) string {
	detail = strings.Join(strings.Fields(detail), " ")
	if len(detail) > maxDetail {
		detail = strings.ToValidUTF8(detail[:maxDetail], "") + "…"
	}
	return escape.Text(detail)
}

// Get asks for a path below the API's prefix, as "/fabrics", and decodes the answer.
func (c *Client) Get(ctx context.Context, path string, query url.Values, into any) error {
	_, err := c.get(ctx, path, query, "", into)
	return err
}

func (c *Client) get(ctx context.Context, path string, query url.Values, tag string, into any) (newTag string, err error) {
	ctx, cancel := within(ctx)
	defer cancel()
	r, err := c.request(ctx, path, query)
	if err != nil {
		return "", err
	}
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	answer, err := c.do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusNotModified {
		return tag, nil
	}
	var useless unreadable
	switch err := decode(answer.Body, into); {
	case errors.As(err, &useless):
		return "", c.useless(r, answer, useless)
	case err != nil:
		return "", failed(r, err)
	}
	return answer.Header.Get("ETag"), nil
}

// useless is an answer that cannot be used: it will be the same the next time.
func (c *Client) useless(r *http.Request, answer *http.Response, why unreadable) error {
	return &Error{URL: r.URL.Redacted(), Status: answer.StatusCode, Detail: shown("the answer could not be read: " + string(why)), Err: why}
}

// Cached asks for one thing again and again, and has it sent only when it has changed.
type Cached struct {
	Client *Client
	Path   string
	Query  url.Values
	tag    string
}

// Get decodes the answer if it is another one than the last time, and tells whether it
// is.
func (c *Cached) Get(ctx context.Context, into any) (changed bool, err error) {
	tag, err := c.Client.get(ctx, c.Path, c.Query, c.tag, into)
	if err != nil {
		return false, err
	}
	changed = tag == "" || tag != c.tag
	c.tag = tag
	return changed, nil
}

// Fabric is the name of the only fabric of the service. With several, or none, the error
// names them.
func (c *Client) Fabric(ctx context.Context) (string, error) {
	var list api.Fabrics
	if err := c.Get(ctx, "/fabrics", nil, &list); err != nil {
		return "", err
	}
	if len(list.Items) == 1 {
		return list.Items[0].Name, nil
	}
	var names []string
	for _, f := range list.Items {
		names = append(names, f.Name)
	}
	return "", fmt.Errorf("%s has %d fabrics: choose one of %s", c, len(list.Items), shown(strings.Join(names, ", ")))
}

// maxToken is how long a token may be.
const maxToken = 4096

// ReadToken reads the first line of a file that holds a token; "" for no file.
func ReadToken(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(b), "\n")
	line = strings.TrimSpace(line)
	if line == "" || len(line) > maxToken {
		return "", fmt.Errorf("%s: expected a token of up to %d characters in the first line", path, maxToken)
	}
	return line, nil
}
