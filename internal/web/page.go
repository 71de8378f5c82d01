package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
)

//go:embed dist
var dist embed.FS

// policy lets the page run its own script, and talk to its own server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// asset is a file of the page.
type asset struct {
	kind string // its content type
	data []byte
	tag  string // changes with the content
}

var kinds = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

// assets reads the files of the page. The names of script and style in the HTML get
// their hash behind a question mark, so that browsers may keep them for ever.
func assets() map[string]*asset {
	files := map[string]*asset{}
	entries, err := dist.ReadDir("dist")
	if err != nil {
		return files // there is no page in this binary
	}
	for _, e := range entries {
		data, err := dist.ReadFile("dist/" + e.Name())
		if err == nil {
			files["/"+e.Name()] = &asset{kind: kinds[path.Ext(e.Name())], data: data, tag: tagOf(data)}
		}
	}
	index := files["/index.html"]
	if index == nil {
		return files
	}
	text := string(index.data)
	for _, name := range []string{"app.js", "app.css", "icon.svg"} {
		if a := files["/"+name]; a != nil {
			text = strings.ReplaceAll(text, `"`+name+`"`, `"`+name+"?v="+a.tag+`"`)
		}
	}
	index.data, index.tag = []byte(text), tagOf([]byte(text))
	files["/"] = index
	return files
}

// Paths are those of the page itself. It is the same everywhere and says nothing of a
// fabric: it asks the API for that, with a token where one is wanted.
func Paths() []string { return slices.Sorted(maps.Keys(assets())) }

func tagOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Handler serves the page at the root. It answers GET and HEAD, and 404 for what is
// not part of the page.
func Handler() http.Handler {
	files := assets()
	packed := map[string][]byte{}
	for name, a := range files {
		packed[name] = pack(a.data)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the page is there to be read", http.StatusMethodNotAllowed)
			return
		}
		a := files[r.URL.Path]
		if a == nil {
			http.NotFound(w, r)
			return
		}
		protect(w.Header())
		h := w.Header()
		h.Set("Content-Type", a.kind)
		h.Set("Cache-Control", "no-cache")
		if r.URL.Query().Get("v") == a.tag {
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		send(w, r, a.tag, a.data, packed[r.URL.Path])
	})
}

// protect sets what keeps a browser from doing more with an answer than showing it.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}
