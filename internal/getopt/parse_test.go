package getopt

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var table = []Option{
	{Long: "full", Short: 'f', Help: "full"},
	{Long: "cache", Arg: "file", Help: "cache"},
	{Long: "diff", Arg: "file", Help: "diff"},
	{Long: "diffcheck", Arg: "keys", Help: "keys"},
	{Long: "config", Short: 'z', Arg: "config", Help: "config"},
	{Long: "Ca", Short: 'C', Arg: "ca", Help: "CA"},
	{Long: "gid", Short: 'g', Help: "gid"},
	{Long: "gid_show", Short: 'g', Help: "alias of gid"},
}

func parse(args ...string) (got []string, err error) {
	p := Parser{Program: "prog", Options: table}
	operands, err := p.Parse(args, func(o *Option, value string) error {
		if o.TakesArgument() {
			got = append(got, o.Long+"="+value)
		} else {
			got = append(got, o.Long)
		}
		return nil
	})
	for _, o := range operands {
		got = append(got, "operand "+o)
	}
	return got, err
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", ""},
		{"-f", "full"},
		{"-ffC x", "full|full|Ca=x"},
		{"-fCx", "full|Ca=x"},
		{"-C -f", "Ca=-f"},
		{"-C --", "Ca=--"},
		{"--Ca=x", "Ca=x"},
		{"--Ca x", "Ca=x"},
		{"--Ca= y", "Ca=|operand y"},
		{"--C x", "Ca=x"},
		{"--ful", "full"},
		{"--diff x", "diff=x"}, // exact wins over diffcheck
		{"--diffc x", "diffcheck=x"},
		{"--gi", "gid"}, // both mean the same
		{"a -f b", "full|operand a|operand b"},
		{"a -- -f", "operand a|operand -f"},
		{"-", "operand -"},
		{"-f - --", "full|operand -"},
	} {
		t.Run(test.args, func(t *testing.T) {
			got, err := parse(strings.Fields(test.args)...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, strings.Join(got, "|")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseMistakes(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"--x", "prog: unrecognized option '--x'"},
		{"--x=3", "prog: unrecognized option '--x=3'"},
		{"-f --di=3", "prog: option '--di=3' is ambiguous; possibilities: '--diff' '--diffcheck'"},
		{"--full=1", "prog: option '--full' doesn't allow an argument"},
		{"--ful=1", "prog: option '--full' doesn't allow an argument"},
		{"--cache", "prog: option '--cache' requires an argument"},
		{"--cac", "prog: option '--cache' requires an argument"},
		{"-C", "prog: option requires an argument -- 'C'"},
		{"-fZ", "prog: invalid option -- 'Z'"},
		{"-f-", "prog: invalid option -- '-'"},
	} {
		_, err := parse(strings.Fields(test.args)...)
		var mistake *Error
		if !errors.As(err, &mistake) {
			t.Errorf("%s: error %v, want an *Error", test.args, err)
			continue
		}
		if err.Error() != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.args, err, test.want)
		}
	}
}

func TestStopAtOperand(t *testing.T) {
	p := Parser{Program: "prog", Options: table, StopAtOperand: true}
	seen := 0
	operands, err := p.Parse([]string{"-f", "a", "-f"}, func(*Option, string) error { seen++; return nil })
	if err != nil || seen != 1 || !cmp.Equal(operands, []string{"a", "-f"}) {
		t.Errorf("got %d options, operands %q, error %v", seen, operands, err)
	}
}

func TestParseStopsAtFirstError(t *testing.T) {
	stop := errors.New("stop")
	p := Parser{Program: "prog", Options: table}
	_, err := p.Parse([]string{"-f", "--nonsense"}, func(*Option, string) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("got %v, want the option's own error before the later mistake", err)
	}
}

// FuzzAgainstGetopt compares with util-linux getopt(1), which calls glibc's
// getopt_long. It is a fuzz target so that the seeds run as a test.
func FuzzAgainstGetopt(f *testing.F) {
	if _, err := exec.LookPath("getopt"); err != nil {
		f.Skip("needs getopt of util-linux")
	}
	for _, seed := range []string{"-f a -Cx", "--di=3", "--gi", "a -- -f", "-fC", "--=x", "--f --ful=", "--C", "-fZ", "- -f-", "--cac x y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, r := range line {
			if r < ' ' || r > '~' || strings.ContainsRune(`'\`, r) {
				t.Skip("getopt(1) quotes such characters")
			}
		}
		args := strings.Fields(line)
		for _, arg := range args {
			if strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.ContainsAny(arg, ":;W") {
				t.Skip("letters with a meaning of their own in an optstring")
			}
		}
		cmd := exec.Command("getopt", append([]string{
			"-n", "prog", "-o", "fz:C:g",
			"-l", "full,cache:,diff:,diffcheck:,config:,Ca:", "--",
		}, args...)...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		stdout, _ := cmd.Output()

		p := Parser{Program: "prog", Options: table[:6]}
		p.Options = append(p.Options[:6:6], Option{Long: "\x00", Short: 'g'}) // no long name
		var b strings.Builder
		operands, err := p.Parse(args, func(o *Option, value string) error {
			if o.Short != 0 && o.Long == "\x00" {
				b.WriteString(" -g")
				return nil
			}
			b.WriteString(" " + o.Long)
			if o.TakesArgument() {
				b.WriteString(" '" + value + "'")
			}
			return nil
		})
		first, _, _ := strings.Cut(stderr.String(), "\n")
		if err != nil || first != "" {
			if err == nil || err.Error() != first {
				if strings.Contains(first, "ambiguous") && err != nil && strings.Contains(err.Error(), "ambiguous") {
					return // the order and number of candidates depend on the table
				}
				t.Fatalf("%q: got error %v, want %q", args, err, first)
			}
			return
		}
		b.WriteString(" --")
		for _, o := range operands {
			b.WriteString(" '" + o + "'")
		}
		want := strings.TrimSuffix(string(stdout), "\n")
		want = " " + strings.Join(canonical(strings.Fields(want)), " ")
		if b.String() != want {
			t.Errorf("%q: got  %s\nwant %s", args, b.String(), want)
		}
	})
}

// canonical turns what getopt(1) prints into long names.
func canonical(words []string) []string {
	names := map[string]string{"-f": "full", "-z": "config", "-C": "Ca"}
	var out []string
	for i, w := range words {
		if w == "--" {
			return append(out, words[i:]...)
		}
		if long, ok := names[w]; ok {
			w = long
		}
		if w != "-g" {
			w = strings.TrimPrefix(w, "--")
		}
		out = append(out, w)
	}
	return out
}
