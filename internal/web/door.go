package web

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Door is before a page that is for one person on this machine: it opens for who has
// the key, which works once, and gives the browser a cookie for what it asks afterwards.
// It is safe for concurrent use.
type Door struct {
	behind http.Handler
	cookie string // its value
	name   string // its name: cookies of one host do not know ports

	mu  sync.Mutex
	key string // "" once it was used
}

// NewDoor makes a door before a handler.
func NewDoor(behind http.Handler) *Door {
	return &Door{behind: behind, key: rand.Text(), cookie: rand.Text(), name: "ibscope-" + rand.Text()[:8]}
}

// Path is the path that opens the door, once.
func (d *Door) Path() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return "/?key=" + d.key
}

// ServeHTTP lets in who has the cookie, and gives it to who has the key.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	protect(w.Header())
	if !isLocal(r.Host) {
		http.Error(w, "this page is for this machine only", http.StatusMisdirectedRequest)
		return
	}
	if c, err := r.Cookie(d.name); err == nil && same(c.Value, d.cookie) {
		d.behind.ServeHTTP(w, r)
		return
	}
	if key := r.URL.Query().Get("key"); r.URL.Path == "/" && key != "" && d.take(key) {
		http.SetCookie(w, &http.Cookie{
			Name: d.name, Value: d.cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		})
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	http.Error(w, "this page opens with the address that was printed, once; start ibscope view again for another one", http.StatusForbidden)
}

// take reports whether a key opens the door, which it does not a second time.
func (d *Door) take(key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.key == "" || !same(key, d.key) {
		return false
	}
	d.key = ""
	return true
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// isLocal reports whether a client calls the page by an address or as localhost: the
// name of another site could be made to point here.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	return host == "localhost" || net.ParseIP(host) != nil
}
