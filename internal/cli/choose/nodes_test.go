package choose

import (
	"regexp"
	"strings"
	"testing"
)

func TestFits(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a/b", true},
		{"leaf*", "leaf01", true},
		{"leaf*", "aleaf01", false},
		{"*:MQM8700/*", "MF0;switch01:MQM8700/U1", true},
		{"node?? *", "node01 mlx5_0", true},
		{"node?", "node01", false},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXbYbZ", false},
		{"[a]", "[a]", true},
		{"節?", "節点", true},
		{"*a**", "bac", true},
	} {
		if got := Fits(tt.pattern, tt.text); got != tt.want {
			t.Errorf("Fits(%q, %q) = %v", tt.pattern, tt.text, got)
		}
	}
}

// FuzzFits compares with a regular expression.
func FuzzFits(f *testing.F) {
	f.Add("a*b?c", "axxbyc")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 40 || len(text) > 200 {
			return
		}
		pattern, text = strings.ToValidUTF8(pattern, ""), strings.ToValidUTF8(text, "")
		q := regexp.QuoteMeta(pattern)
		q = strings.ReplaceAll(strings.ReplaceAll(q, `\*`, `.*`), `\?`, `.`)
		if want := regexp.MustCompile(`(?s)^` + q + `$`).MatchString(text); Fits(pattern, text) != want {
			t.Errorf("Fits(%q, %q) = %v", pattern, text, !want)
		}
	})
}
