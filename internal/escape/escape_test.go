package escape

import (
	"strconv"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"node-1 HCA-1", "node-1 HCA-1"},
		{"größe 節点", "größe 節点"},
		{"a\x1b[31mb", `a\x1b[31mb`},
		{"a\nb\r\tc\x00\x7f", `a\x0ab\x0d\x09c\x00\x7f`},
		{"C1 \u009b31m", `C1 \u009b31m`},
		{"\x9b31m", `\x9b31m`}, // C1 as a raw byte is not UTF-8
		{"abc\u202ecba\u2066\u200b", `abc\u202ecba\u2066\u200b`},
		{"line\u2028sep", `line\u2028sep`},
		{"\xff\xc3", `\xff\xc3`},
		{"tag \U000e0041", `tag \U000e0041`},
		{"\ufffd is a real rune", "\ufffd is a real rune"},
	} {
		if got := Text(test.in); got != test.want {
			t.Errorf("Text(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b[0m\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Text(%q) = %q is not UTF-8", s, got)
		}
		for _, r := range got {
			if !strconv.IsPrint(r) {
				t.Fatalf("Text(%q) = %q has %U", s, got, r)
			}
		}
	})
}
