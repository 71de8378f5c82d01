// Package webconfig reads the web configuration of Prometheus' exporters, as they all
// have it (--web.config.file): TLS, certificates of clients, passwords, headers. The
// format is that of the exporter toolkit, read here by itself: the toolkit makes the
// program 5 MB larger, and its tables are made at each start.
package webconfig

import (
	"crypto/sha256"
	"crypto/tls"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// Error is a mistake in a web configuration, or a file that cannot be read.
type Error struct {
	Op   string // "read"
	File string
	Err  error
}

func (e *Error) Error() string { return e.File + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// lookAgain is how long a configuration holds before its file is looked at again.
const lookAgain = time.Second

// File is a configuration that is read again when its file, or a certificate, changes:
// new passwords and certificates hold at once. One that has become wrong is told of, and
// the one before it stays. It is safe for concurrent use.
type File struct {
	path   string
	logger *slog.Logger

	mu      sync.Mutex
	looked  time.Time
	stamps  []stamp
	content *content
	tls     *tls.Config // nil for none
	tickets time.Time   // of the limiter: when the next request may come

	checking sync.Mutex // bcrypt takes a processor, and an attacker must not have them all
	known    map[[sha256.Size]byte]bool
}

// stamp tells whether a file has changed.
type stamp struct {
	path string
	at   time.Time
	size int64
}

// Open reads a configuration. The error is an *Error.
func Open(path string, logger *slog.Logger) (*File, error) {
	f := &File{path: path, logger: logger, known: map[[sha256.Size]byte]bool{}}
	if err := f.load(); err != nil {
		return nil, &Error{"read", path, err}
	}
	f.looked = time.Now()
	return f, nil
}

// load reads all anew. The lock is held, or not needed yet.
func (f *File) load() error {
	c, err := read(f.path)
	if err != nil {
		return err
	}
	var t *tls.Config
	if c.TLS.isOn() {
		if t, err = c.TLS.config(c.HTTP.HTTP2 == nil || *c.HTTP.HTTP2); err != nil {
			return err
		}
	}
	f.content, f.tls = c, t
	f.known = map[[sha256.Size]byte]bool{}
	f.stamps = stampsOf(f.path, c.TLS.CertFile, c.TLS.KeyFile, c.TLS.ClientCAs)
	return nil
}

func stampsOf(paths ...string) (list []stamp) {
	for _, p := range paths {
		if p == "" {
			continue
		}
		s := stamp{path: p}
		if info, err := os.Stat(p); err == nil {
			s.at, s.size = info.ModTime(), info.Size()
		}
		list = append(list, s)
	}
	return list
}

// now is the configuration as it is now.
func (f *File) now() (*content, *tls.Config) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.looked) < lookAgain {
		return f.content, f.tls
	}
	f.looked = time.Now()
	for _, s := range f.stamps {
		if again := stampsOf(s.path); again[0] == s {
			continue
		}
		had := f.tls != nil
		old, oldTLS := f.content, f.tls
		err := f.load()
		if err == nil && had != (f.tls != nil) {
			f.content, f.tls = old, oldTLS
			f.logger.Error("TLS cannot be turned on or off while the service runs: restart it", "file", f.path)
		}
		if err != nil {
			f.logger.Error("the web configuration is wrong, and that from before stays", "file", f.path, "error", err.Error())
			f.stamps = stampsOf(f.paths()...) // to be told once
		}
		break
	}
	return f.content, f.tls
}

func (f *File) paths() (list []string) {
	for _, s := range f.stamps {
		list = append(list, s.path)
	}
	return list
}

// TLS is what a listener wants, nil for connections in the clear.
func (f *File) TLS() *tls.Config {
	_, t := f.now()
	if t == nil {
		return nil
	}
	outer := t.Clone()
	outer.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		_, t := f.now()
		return t, nil
	}
	return outer
}

// Passwords reports whether clients need a name and a password.
func (f *File) Passwords() bool {
	c, _ := f.now()
	return len(c.Users) > 0
}

// Certificates reports whether clients need a certificate, which is verified.
func (f *File) Certificates() bool {
	_, t := f.now()
	return t != nil && t.ClientAuth == tls.RequireAndVerifyClientCert
}

// Handler puts limits, headers and passwords before a handler.
func (f *File) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, _ := f.now()
		if !f.admit(&c.Limiter) {
			http.Error(w, http.StatusText(http.StatusTooManyRequests), http.StatusTooManyRequests)
			return
		}
		for name, value := range c.HTTP.Headers {
			w.Header().Set(name, value)
		}
		if len(c.Users) > 0 {
			user, password, given := r.BasicAuth()
			if !given || !f.isRight(c, user, password) {
				w.Header().Set("WWW-Authenticate", "Basic")
				http.Error(w, http.StatusText(http.StatusUnauthorized), http.StatusUnauthorized)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// admit takes a request out of the bucket.
func (f *File) admit(l *limiterSection) bool {
	every := l.interval()
	if every <= 0 {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	if full := now.Add(-every * time.Duration(max(1, l.Burst)-1)); f.tickets.Before(full) {
		f.tickets = full
	}
	if f.tickets.After(now) {
		return false
	}
	f.tickets = f.tickets.Add(every)
	return true
}

// nobody is the hash that the password of an unknown user is compared with, so that the
// time does not tell who is known.
const nobody = "$2a$10$7EqJtq98hPqEX7fNZaFWoOHi5KfA3l2wwtbQ1DMvCSHAVcK5QxFDa"

// maxKnown bounds the passwords that are remembered, by their hashes.
const maxKnown = 1000

// isRight checks a password; what was right or wrong once is remembered, for bcrypt is
// slow on purpose.
func (f *File) isRight(c *content, user, password string) bool {
	hash, isUser := c.Users[user]
	if !isUser {
		hash = nobody
	}
	key := sha256.Sum256([]byte(user + "\x00" + hash + "\x00" + password))
	f.mu.Lock()
	right, known := f.known[key]
	f.mu.Unlock()
	if known {
		return right
	}
	f.checking.Lock()
	right = bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil && isUser
	f.checking.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.known) >= maxKnown {
		clear(f.known)
	}
	f.known[key] = right
	return right
}
