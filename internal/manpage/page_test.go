package manpage

import (
	"os/exec"
	"strings"
	"testing"
)

var page = Page{
	Name: "ibscope-x", Section: 1, Summary: "does x", Synopsis: []string{"ibscope x [options]"},
	Description: ".dots and 'quotes' at the start\n\nSecond \\ paragraph:\n\n  $ ibscope x --y\n",
	Options:     []Option{{"-y, --why <reason>", ".the reason"}},
	Sections:    []Section{{"Exit status", "0 always"}},
	SeeAlso:     []string{"ibscope(1)"},
}

func TestPageHasNoForgedRequests(t *testing.T) {
	var b strings.Builder
	if err := page.Write(&b); err != nil {
		t.Fatal(err)
	}
	for l := range strings.SplitSeq(b.String(), "\n") {
		if strings.HasPrefix(l, "'") || strings.HasPrefix(l, ".dots") || strings.HasPrefix(l, ".the") {
			t.Errorf("text became a request: %q", l)
		}
	}
}

func TestPageIsCleanForMan(t *testing.T) {
	man, err := exec.LookPath("man")
	if err != nil {
		t.Skip("needs man")
	}
	cmd := exec.Command(man, "--warnings=w", "-l", "-")
	cmd.Env = append(cmd.Environ(), "MANWIDTH=80", "LC_ALL=C", "MAN_KEEP_FORMATTING=")
	var in, stderr strings.Builder
	if err := page.Write(&in); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = strings.NewReader(in.String())
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.String() != "" {
		t.Fatalf("man: %v: %s", err, stderr.String())
	}
	for _, want := range []string{"-y, --why <reason>", ".the reason", `Second \ paragraph`, "  $ ibscope x --y"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

// troff reads bytes, not UTF-8.
func TestPageIsASCII(t *testing.T) {
	for text, want := range map[string]string{
		"1…255":      "1...255",
		"up to 5 µs": `up to 5 \(mcs`,
		"Zürich":     `Z\[u00FC]rich`,
		"a−b":        `a\-b`,
	} {
		if got := escape(text); got != want {
			t.Errorf("%q: %q, expected %q", text, got, want)
		}
	}
}
