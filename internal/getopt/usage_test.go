package getopt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two", 10, []string{"one two"}},
		{"one two three four", 10, []string{"one two ", "three four"}},
		{"a verylongwordindeed", 10, []string{"a verylongwordindeed"}}, // a last word stays
		{"verylongwordindeed a", 10, []string{"verylongwordindeed a"}}, // nowhere to break before it
		{"a verylongwordindeed b", 10, []string{"a ", "verylongwordindeed b"}},
	} {
		if diff := cmp.Diff(test.want, wrap(test.text, test.width)); diff != "" {
			t.Errorf("wrap(%q, %d): %s", test.text, test.width, diff)
		}
	}
}

func TestUsage(t *testing.T) {
	u := Usage{Program: "prog", Operands: "<lid>", Examples: []string{"-f 3\t# by lid"}}
	var b strings.Builder
	if err := u.Write(&b, table[:2]); err != nil {
		t.Fatal(err)
	}
	want := "\nUsage: prog [options] <lid>\n\nOptions:\n" +
		"  --full, -f              full\n" +
		"  --cache <file>          cache\n" +
		"\nExamples:\n  prog -f 3\t# by lid\n\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestComplete(t *testing.T) {
	if got := Complete(table, "--di"); !cmp.Equal(got, []string{"--diff\tdiff", "--diffcheck\tkeys"}) {
		t.Errorf("got %q", got)
	}
	if got := Complete(table, "x"); got != nil {
		t.Errorf("an operand completes to %q", got)
	}
}
