package oracle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// normalising is what differs between two runs of one program, or follows from how
// the test runs it.
var normalising = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`/usr/s?bin/`), ""}, // C prints the path it was called by
	{regexp.MustCompile(`\[\d+\] `), "[PID] "},
	{dateLine, "# Topology file: generated on DATE"},
	{regexp.MustCompile(`activity count \d+`), "activity count N"}, // it grows from one request to the next
	{times, "${1}N"},
	{regexp.MustCompile(`packet loss, time \d+ ms`), "packet loss, time N ms"},
	{uptime, "hw_uptime: N"},
	{leftover, "${1}REASON"},
	{regexp.MustCompile(`BUILD VERSION: .*`), "BUILD VERSION: N"},
}

// exitText is an exit code as a line.
func exitText(code int) string {
	if code < 0 {
		return "killed by a signal"
	}
	return fmt.Sprint(code)
}

// declaration is a difference that is meant: an entry of testdata/differences.txt.
type declaration struct {
	rows, theirs, ours         *regexp.Regexp // of whole lines; nil: that side has none
	stream, reason             string
	theirsIsFound, oursIsFound bool
}

// pin is a fault of C that no row can show, with the test that pins what ours does.
type pin struct{ fault, dir, test string }

type declarations struct {
	mu   sync.Mutex
	list []*declaration
	pins []pin
}

// readDifferences reads the file: entries of lines "key: value", empty lines between.
func readDifferences(t *testing.T) *declarations {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "differences.txt"))
	if err != nil {
		t.Fatal(err)
	}
	d := &declarations{}
	for entry := range strings.SplitSeq(string(text), "\n\n") {
		fields := map[string]string{}
		for line := range strings.Lines(entry) {
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			key, value, ok := strings.Cut(line, ":")
			if _, twice := fields[key]; !ok || twice {
				t.Fatalf("differences.txt: %q is no field, or is there twice", line)
			}
			fields[key] = strings.TrimSpace(value)
		}
		d.add(t, fields)
	}
	return d
}

func (d *declarations) add(t *testing.T, fields map[string]string) {
	t.Helper()
	switch {
	case len(fields) == 0:
	case fields["fault"] != "":
		dir, test, ok := strings.Cut(fields["test"], " ")
		if !ok || len(fields) != 2 {
			t.Fatalf("differences.txt: %q: expected fault and test", fields)
		}
		d.pins = append(d.pins, pin{fields["fault"], dir, test})
	default:
		if fields["why"] == "" || fields["rows"] == "" || fields["C"]+fields["ours"] == "" || len(fields["stream"]) < 4 {
			t.Fatalf("differences.txt: %q: expected rows, stream, C, ours and why", fields)
		}
		one := &declaration{stream: fields["stream"], reason: fields["why"]}
		one.rows, one.theirs, one.ours = whole(t, fields["rows"]), whole(t, fields["C"]), whole(t, fields["ours"])
		d.list = append(d.list, one)
	}
}

// whole compiles a pattern of whole lines; nil for none.
func whole(t *testing.T, pattern string) *regexp.Regexp {
	t.Helper()
	if pattern == "" {
		return nil
	}
	compiled, err := regexp.Compile("^(?:" + pattern + ")$")
	if err != nil {
		t.Fatalf("differences.txt: %v", err)
	}
	return compiled
}

// compare runs a row and wants no difference that is not declared.
func (d *declarations) compare(t *testing.T, row *invocation, w *worlds, p *place) {
	t.Helper()
	theirs, ours := w.runBoth(t, row, p)
	for _, stream := range []string{"exit", "stdout", "stderr", "file"} {
		differs := false
		var shown strings.Builder
		for _, line := range lineDifference(theirs[stream], ours[stream]) {
			if line.side == ' ' || d.isDeclared(row, stream, line) {
				continue
			}
			differs = true
			fmt.Fprintf(&shown, "  %c %s\n", line.side, line.text)
		}
		if differs {
			t.Errorf("%s: %s differs (- C, + ours)\n%s", row, stream, shown.String())
		}
	}
}

// isDeclared reports whether a line may differ. The name of the tool that begins a
// line of stderr is {tool} in patterns.
func (d *declarations) isDeclared(row *invocation, stream string, line sidedLine) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if rest, ok := strings.CutPrefix(line.text, row.tool()+": "); ok && stream == "stderr" {
		line.text = "{tool}: " + rest
	}
	for _, one := range d.list {
		if one.stream != stream || !one.rows.MatchString(row.String()) {
			continue
		}
		pattern, found := one.theirs, &one.theirsIsFound
		if line.side == '+' {
			pattern, found = one.ours, &one.oursIsFound
		}
		if pattern != nil && pattern.MatchString(line.text) {
			*found = true
			return true
		}
	}
	return false
}

// allFound wants no declaration of a difference that is no more.
func (d *declarations) allFound(t *testing.T) {
	t.Helper()
	for _, one := range d.list {
		if one.theirs != nil && !one.theirsIsFound {
			t.Errorf("stale difference: in %v, C no longer says %v on %s", one.rows, one.theirs, one.stream)
		}
		if one.ours != nil && !one.oursIsFound {
			t.Errorf("stale difference: in %v, ours no longer says %v on %s", one.rows, one.ours, one.stream)
		}
	}
}

// TestFaultsArePinned makes sure that the tests are there which pin what ours does
// where no row can show that C has it wrong.
func TestFaultsArePinned(t *testing.T) {
	d := readDifferences(t)
	if len(d.pins) == 0 {
		t.Error("no faults")
	}
	for _, p := range d.pins {
		files, err := filepath.Glob(filepath.Join("..", "..", p.dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			found = found || strings.Contains(contents(t, file), "\nfunc "+p.test+"(t *testing.T)")
		}
		if !found {
			t.Errorf("%s: %s has no %s", p.fault, p.dir, p.test)
		}
	}
}
