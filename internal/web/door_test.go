package web_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/ibscope/ibscope/internal/web"
)

// The key opens the door once; the cookie that it gives opens it again and again.
func TestDoor(t *testing.T) {
	d := web.NewDoor(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "inside") }))
	ask := func(path, host string, c *http.Cookie) *http.Response {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host = host
		if c != nil {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		return w.Result()
	}
	const here = "127.0.0.1:1234"
	path := d.Path()
	for _, wrong := range []string{"/", "/?key=", "/?key=x", "/api/v1/fabrics" + path[1:]} {
		if r := ask(wrong, here, nil); r.StatusCode != http.StatusForbidden || len(r.Cookies()) > 0 {
			t.Errorf("%s: status %d", wrong, r.StatusCode)
		}
	}
	if r := ask(path, "evil.example", nil); r.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("by another name: status %d", r.StatusCode)
	}
	r := ask(path, here, nil)
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/" || len(r.Cookies()) != 1 {
		t.Fatalf("with the key: status %d, %v", r.StatusCode, r.Header)
	}
	cookie := r.Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode {
		t.Errorf("the cookie is %v", cookie)
	}
	for range 2 {
		if r := ask("/", "localhost:1234", cookie); body(t, r) != "inside" {
			t.Errorf("with the cookie: status %d", r.StatusCode)
		}
	}
	if r := ask(path, here, nil); r.StatusCode != http.StatusForbidden {
		t.Errorf("with the key again: status %d", r.StatusCode)
	}
	forged := *cookie
	forged.Value += "x"
	if r := ask("/", here, &forged); r.StatusCode != http.StatusForbidden {
		t.Errorf("with another cookie: status %d", r.StatusCode)
	}
}
