package metrics

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibscope/ibscope/internal/testenv"
)

// An exposition is a page that was read: values by their series, types and labels by
// the names of metrics.
type exposition struct {
	values map[string]float64
	types  map[string]string
	labels map[string]string // of the first sample: "fabric,guid", "-" for none
	names  []string          // in order
}

// read reads a page in the text format by its own rules, and complains of series that
// are there twice, of metrics in two places, and of bytes that are not UTF-8.
func read(t testing.TB, text string) *exposition {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Error("the page is not UTF-8")
	}
	e := &exposition{values: map[string]float64{}, types: map[string]string{}, labels: map[string]string{}}
	last := ""
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		line := s.Text()
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, kind, _ := strings.Cut(rest, " ")
			if e.types[name] != "" {
				t.Errorf("%s is there twice", name)
			}
			e.types[name], last = kind, name
			e.names = append(e.names, name)
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		v, err := strconv.ParseFloat(line[at+1:], 64)
		if at < 0 || err != nil {
			t.Fatalf("no sample: %q", line)
		}
		series := line[:at]
		name, _, _ := strings.Cut(series, "{")
		if base := strings.TrimSuffix(strings.TrimSuffix(name, "_sum"), "_count"); name != last && base != last {
			t.Fatalf("a sample of %s below %s", name, last)
		}
		if _, twice := e.values[series]; twice {
			t.Errorf("%s is there twice", series)
		}
		e.values[series] = v
		if e.labels[name] == "" {
			e.labels[name] = strings.Join(labelNames(t, series), ",")
		}
	}
	return e
}

// labelNames are the names of the labels of a series.
func labelNames(t testing.TB, series string) []string {
	t.Helper()
	_, rest, labelled := strings.Cut(series, "{")
	if !labelled {
		return []string{"-"}
	}
	var names []string
	for rest != "}" {
		name, value, ok := strings.Cut(strings.TrimPrefix(rest, ","), `="`)
		if !ok {
			t.Fatalf("labels of %q", series)
		}
		names = append(names, name)
		for !strings.HasPrefix(value, `"`) {
			_, size := utf8.DecodeRuneInString(value)
			if strings.HasPrefix(value, `\`) {
				size = 2
			}
			if len(value) <= size {
				t.Fatalf("a label without an end: %q", series)
			}
			value = value[size:]
		}
		rest = value[1:]
	}
	return names
}

// promtool lets promtool judge a page.
func promtool(t *testing.T, text string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), testenv.Tool(t, "promtool"), "check", "metrics")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}

// row is a line of a table: a name, its type and its labels.
type row struct{ name, kind, labels string }

func table(t *testing.T, file string) []row {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for line := range strings.Lines(string(text)) {
		cells := strings.Fields(line)
		rows = append(rows, row{cells[0], cells[1], cells[2]})
	}
	return rows
}

// checkTable compares a page with a table: the same names, types and labels.
func checkTable(t *testing.T, e *exposition, rows []row) {
	t.Helper()
	known := map[string]bool{}
	for _, r := range rows {
		known[r.name] = true
		if e.types[r.name] != r.kind || e.labels[r.name] != r.labels {
			t.Errorf("%s is a %q with %q; the table has %q with %q", r.name, e.types[r.name], e.labels[r.name], r.kind, r.labels)
		}
	}
	for _, name := range e.names {
		if !known[name] {
			t.Errorf("%s is not in the table", name)
		}
	}
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}
