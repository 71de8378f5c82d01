package api

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/ibscope/ibscope/format/snapshot"
)

// TestHostileText looks for text from the fabric in answers that something could act on.
func TestHostileText(t *testing.T) {
	w := newWorld(t)
	seen := false
	for _, list := range w.questions() {
		for _, path := range list {
			answer, body := w.get(Prefix + path)
			if answer.Header.Get("Content-Type") == snapshotMedia {
				continue
			}
			checkInert(t, path, body)
			seen = seen || bytes.Contains(body, []byte("script"))
		}
	}
	if !seen {
		t.Error("the evil name is in no answer")
	}
	for _, path := range []string{"/fabrics/main/nodes?" + evilQuery, "/fabrics/" + evilQuery, "/" + evilQuery} {
		_, body := w.get(Prefix + path)
		checkInert(t, path, body)
	}
}

// evilQuery is evil in an escaped form.
const evilQuery = "%3Cscript%3E%1b[31m%E2%80%AE%0d%0aX-Evil:%201=1"

func checkInert(t *testing.T, path string, body []byte) {
	t.Helper()
	for rest := body; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r != '\n' && !unicode.IsPrint(r) || r == utf8.RuneError || strings.ContainsRune("<>&", r) {
			t.Errorf("%s: %q in %.200q", path, r, rest)
			return
		}
		rest = rest[size:]
	}
}

func TestFitsName(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "a", true},
		{"b", "aBc", true},
		{"B*", "bcd", true},
		{"*c", "bcd", false},
		{"?cd", "bcd", true},
		{"??", "b", false},
		{"*", "", true},
		{"a*b*c", "axxbyyc", true},
		{"a*b*c", "axxbyy", false},
		{"ä?", "Äö", true},
		{"[a]", "[A]", true},
	} {
		if got := fitsName(tt.pattern, tt.name); got != tt.want {
			t.Errorf("%q fits %q: %v", tt.pattern, tt.name, got)
		}
	}
}

// FuzzFitsName compares with a regular expression.
func FuzzFitsName(f *testing.F) {
	f.Add("a*b?c", "axxbyc")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 40 || len(name) > 100 || !strings.ContainsAny(pattern, "*?") {
			return
		}
		lower := strings.ToLower(strings.ToValidUTF8(pattern, ""))
		q := strings.ReplaceAll(strings.ReplaceAll(regexp.QuoteMeta(lower), `\*`, `.*`), `\?`, `.`)
		name = strings.ToValidUTF8(name, "")
		want := regexp.MustCompile(`(?s)^` + q + `$`).MatchString(strings.ToLower(name))
		if strings.ContainsAny(lower, "*?") && fitsName(lower, name) != want {
			t.Errorf("%q fits %q: %v", pattern, name, !want)
		}
	})
}

func readSnapshot(t *testing.T, b []byte) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Read(bytes.NewReader(b), "download")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
