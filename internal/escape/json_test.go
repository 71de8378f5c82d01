package escape

import (
	"encoding/json"
	"strconv"
	"testing"
	"unicode/utf8"
)

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"", "plain", "\x1b[0m\x7f\n", "\u009b\u202e", "\xff\xc3", "\U000e0041", "größe <&>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		raw, err := json.MarshalIndent(map[string]string{"text": s}, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		safe := JSON(raw)
		for _, r := range string(safe) {
			if !strconv.IsPrint(r) && r != '\n' && r != '\t' {
				t.Fatalf("%q has %U", safe, r)
			}
		}
		var got, want map[string]string
		if err := json.Unmarshal(safe, &got); err != nil {
			t.Fatalf("%q: %v", safe, err)
		}
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		if got["text"] != want["text"] || utf8.ValidString(s) && got["text"] != s {
			t.Errorf("%q came back as %q", s, got["text"])
		}
	})
}
