package fabricjson

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzAppendString(f *testing.F) {
	for _, seed := range []string{"", "plain", `"quo\te"`, "\x1b[0m\x7f", "\u009b\u202e", "\xff\xc3", "\U000e0041", "größe"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := appendString(nil, s)
		for _, r := range string(b) {
			if !strconv.IsPrint(r) {
				t.Fatalf("%q has %U", b, r)
			}
		}
		var back string
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		want := s
		if !utf8.ValidString(s) {
			want = ""
			for _, r := range s { // each bad byte becomes U+FFFD
				want += string(r)
			}
		}
		if back != want {
			t.Errorf("%q came back as %q", s, back)
		}
	})
}

func TestCommas(t *testing.T) {
	var e encoder
	e.open('{')
	e.text("a", "x")
	e.object("b", func() {})
	e.object("c", func() { e.number("n", 1); e.flag("f", true); e.float("g", 2.5, -1) })
	e.key("d")
	e.open('[')
	e.close(']')
	e.close('}')
	if want := `{"a":"x","b":{},"c":{"n":1,"f":true,"g":2.5},"d":[]}`; string(e.b) != want {
		t.Errorf("got %s, want %s", e.b, want)
	}
	// A text that ends like a bracket must not eat the comma after it.
	e = encoder{}
	e.open('{')
	e.text("a", "{")
	e.text("b", strings.Repeat("[", 3))
	e.close('}')
	if !json.Valid(e.b) {
		t.Errorf("not JSON: %s", e.b)
	}
}
