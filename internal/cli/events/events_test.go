package events

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/history"
	"github.com/ibscope/ibscope/internal/service/history/historytest"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/watch"
)

// run runs the command at the end of the history, in a terminal of a width, 0 for none.
func run(t *testing.T, width int, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out bytes.Buffer
	stderr, code = runTo(t, t.Context(), &out, width, args...)
	return out.String(), stderr, code
}

func runTo(t *testing.T, ctx context.Context, out io.Writer, width int, args ...string) (stderr string, code int) {
	t.Helper()
	var told bytes.Buffer
	e := &env.Env{
		Args: []string{"ibscope"}, Stdout: out, Stderr: &told, Now: func() time.Time { return historytest.End },
		Getenv: func(name string) string {
			if name == "COLUMNS" && width > 0 {
				return strconv.Itoa(width)
			}
			return ""
		},
		IsTerminal: func(any) bool { return false },
	}
	c := Command(e)
	c.SetArgs(append([]string{}, args...))
	c.SilenceErrors, c.SilenceUsage = true, true
	var exit *env.ExitError
	if err := c.ExecuteContext(ctx); errors.As(err, &exit) {
		code = exit.Code
		if exit.Err != nil {
			e.Complain("%v", exit.Err)
		}
	} else if err != nil {
		return err.Error(), env.Usage
	}
	return told.String(), code
}

func TestGolden(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	for name, args := range map[string][]string{
		"text":     nil,
		"table":    {"-o", "table"},
		"markdown": {"-o", "markdown"},
		"ndjson":   {"-o", "ndjson"},
	} {
		stdout, stderr, code := run(t, 100, append(args, "--db", dir)...)
		if code != env.OK || stderr != "" {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
		testenv.Golden(t, name, []byte(stdout))
	}
}

// ids are those of the events that a command line lists.
func ids(t *testing.T, args ...string) (list []int) {
	t.Helper()
	stdout, stderr, code := run(t, 0, append(args, "-o", "ndjson")...)
	if code != env.OK {
		t.Fatalf("%q: exit code %d, %s", args, code, stderr)
	}
	for line := range strings.Lines(stdout) {
		var e struct{ ID int }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		list = append(list, e.ID)
	}
	return list
}

// filters are command lines, and what they list of the history.
var filters = []struct {
	args []string
	want []int
}{
	{nil, []int{1, 2, 3}},
	{[]string{"--since", "4h"}, []int{3}},
	{[]string{"--since", "7h", "--until", "2026-03-01 02:30"}, []int{1}},
	{[]string{"--kind", "link-up,node-renamed"}, []int{2, 3}},
	{[]string{"--severity", "critical"}, []int{1}},
	{[]string{"--node", "0xb83fd20300000018"}, []int{3}},
	{[]string{"--node", "*spine01*"}, []int{1, 2}},
	{[]string{"--node", "*spine01*", "-n", "1"}, []int{2}},
	{[]string{"-n", "2"}, []int{2, 3}},
	{[]string{"--fabric", "lab"}, []int{1, 2, 3}},
	{[]string{"--kind", "fabric-back"}, nil},
}

func TestFilters(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	for _, tt := range filters {
		if d := cmp.Diff(tt.want, ids(t, append(tt.args, "--db", dir)...)); d != "" {
			t.Errorf("%q (-want +got)\n%s", tt.args, d)
		}
	}
}

// service is an API that has the events of a history, behind a token.
func service(t *testing.T, dir string) (uri string, log *event.Log) {
	t.Helper()
	db, err := history.Open(t.Context(), dir, &history.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	list, err := db.Events(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	log = event.NewLog(100, 1)
	log.Add(list...)
	a := api.New(&api.Options{States: func() []*watch.State { return nil }, Log: log, Now: func() time.Time { return historytest.End }})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		a.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, log
}

// tokenFile is a file with the token of service.
func tokenFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestServer: a service is asked for the same.
func TestServer(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	uri, _ := service(t, dir)
	token := tokenFile(t)
	for _, tt := range filters {
		if d := cmp.Diff(tt.want, ids(t, append(tt.args, "--server", uri, "--token-file", token)...)); d != "" {
			t.Errorf("%q (-want +got)\n%s", tt.args, d)
		}
	}
	fromFile, _, _ := run(t, 0, "--db", dir)
	fromService, _, _ := run(t, 0, "--server", uri, "--token-file", token)
	if d := cmp.Diff(fromFile, fromService); d != "" || fromFile == "" {
		t.Errorf("(-file +service)\n%s", d)
	}
	if _, stderr, code := run(t, 0, "--server", uri); code != env.Failed || !strings.Contains(stderr, "token") {
		t.Errorf("without a token: exit code %d, %s", code, stderr)
	}
}

// follow runs the command with --follow, gives its first lines, lets something happen and
// gives the next one.
func follow(t *testing.T, happen func(), args ...string) (before []string, after string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan int)
	go func() {
		stderr, code := runTo(t, ctx, in, 0, append(args, "--follow")...)
		if stderr != "" {
			t.Error(stderr)
		}
		in.Close()
		ended <- code
	}()
	lines := bufio.NewScanner(out)
	for range 3 {
		lines.Scan()
		before = append(before, lines.Text())
	}
	happen()
	lines.Scan()
	after = lines.Text()
	cancel()
	if code := <-ended; code != env.OK {
		t.Errorf("exit code %d", code)
	}
	return before, after
}

func TestFollowFile(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	db, err := history.Open(t.Context(), dir, &history.Options{Now: func() time.Time { return historytest.End }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	log := event.NewLog(10, 4)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- db.Run(ctx, log) }()
	before, after := follow(t, func() {
		log.Add(event.Event{Kind: event.LinkFlap, Severity: event.Warning, Time: historytest.End.Add(time.Minute), Fabric: "lab", Count: 3})
	}, "--db", dir)
	if len(before) != 3 || after != "2026-03-01T08:01:00Z lab warning link-flap: 3 times" {
		t.Errorf("%q, then %q", before, after)
	}
	cancel()
	<-ended
}

func TestFollowServer(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	uri, log := service(t, dir)
	before, after := follow(t, func() {
		log.Add(
			event.Event{Kind: event.LinkUp, Severity: event.Info, Time: historytest.End, Fabric: "other"},
			event.Event{Kind: event.LinkFlap, Severity: event.Warning, Time: historytest.End.Add(time.Minute), Fabric: "lab", Count: 3},
		)
	}, "--server", uri, "--token-file", tokenFile(t), "--fabric", "lab")
	if len(before) != 3 || after != "2026-03-01T08:01:00Z lab warning link-flap: 3 times" {
		t.Errorf("%q, then %q", before, after)
	}
}

// TestFollowWaits: a service that is not there yet is waited for, which is said once;
// --no-wait fails. What has happened before the stream begins is not lost.
func TestFollowWaits(t *testing.T) {
	log := event.NewLog(10, 1)
	a := api.New(&api.Options{States: func() []*watch.State { return nil }, Log: log, Now: func() time.Time { return historytest.End }})
	happened := event.Event{Kind: event.LinkFlap, Severity: event.Warning, Time: historytest.End, Fabric: "lab", Count: 3}
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch asked++; {
		case asked <= 2:
			w.WriteHeader(http.StatusBadGateway)
		case strings.HasSuffix(r.URL.Path, "/stream"):
			log.Add(happened)
			a.ServeHTTP(w, r)
		default:
			a.ServeHTTP(w, r)
		}
	}))
	defer s.Close()
	if _, stderr, code := run(t, 0, "--server", s.URL, "--follow", "--no-wait"); code != env.Failed || !strings.Contains(stderr, "502") {
		t.Errorf("--no-wait: exit code %d, %s", code, stderr)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	type end struct {
		stderr string
		code   int
	}
	ended := make(chan end)
	go func() {
		stderr, code := runTo(t, ctx, in, 0, "--server", s.URL, "--follow")
		ended <- end{stderr, code}
	}()
	lines := bufio.NewScanner(out)
	if lines.Scan(); lines.Text() != "2026-03-01T08:00:00Z lab warning link-flap: 3 times" {
		t.Errorf("%q", lines.Text())
	}
	cancel()
	got := <-ended
	if got.code != env.OK || strings.Count(got.stderr, "it is tried again") != 1 || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("%+v", got)
	}
}

// TestUnknownFabric is told: no events of it would be taken for a quiet fabric.
func TestUnknownFabric(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	uri, _ := service(t, dir)
	for want, args := range map[string][]string{
		`a fabric named "nowhere"`:        {"--db", dir},
		"there is no fabric of this name": {"--server", uri, "--token-file", tokenFile(t)},
	} {
		if _, stderr, code := run(t, 0, append(args, "--fabric", "nowhere")...); code != env.Failed || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d, %q", args, code, stderr)
		}
	}
}

func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	for want, args := range map[string][]string{
		"no time":         {"--since", "x"},
		"there are info":  {"--severity", "bad"},
		"there are link":  {"--kind", "Link Down"},
		"errors-ended":    {"--kind", "link-dwon"},
		"from 1 to":       {"-n", "0"},
		"is for --server": {"--token-file", "x"},
		"is for --follow": {"--no-wait"},
		"prints lines":    {"--follow", "-o", "table"},
		"ends before":     {"--follow", "--until", "1h"},
		"no end":          {"--follow", "--output-file", "x"},
		"there are table": {"-o", "xml"},
		"expected a URL":  {"--server", "://"},
		"unknown command": {"more"},
	} {
		if stdout, stderr, code := run(t, 0, append(args, "--db", dir)...); code != env.Usage || !strings.Contains(stderr, want) || stdout != "" {
			t.Errorf("%q: exit code %d, %q, want %q", args, code, stderr, want)
		}
	}
	for _, args := range [][]string{{"--db", filepath.Join(dir, "none")}, {"--server", "http://127.0.0.1:1"}, {"--server", "http://127.0.0.1:1", "--token-file", filepath.Join(dir, "none")}} {
		if stdout, stderr, code := run(t, 0, args...); code != env.Failed || stderr == "" || stdout != "" {
			t.Errorf("%q: exit code %d, %q", args, code, stderr)
		}
	}
}

// TestHostile: names that attack what is printed do not.
func TestHostile(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{Describe: func(i int) string {
		return []string{"\x1b[31mred", "a\"b|c<d>\\", "new\nline", "\u202eleft"}[i%4]
	}})
	for _, output := range []string{"text", "ndjson", "table", "json", "csv", "markdown", "html"} {
		stdout, stderr, code := run(t, 0, "--db", dir, "-o", output)
		if code != env.OK || stdout == "" {
			t.Errorf("%s: exit code %d, %s", output, code, stderr)
		}
		for _, r := range stdout {
			if !strconv.IsPrint(r) && r != '\n' && (r != '\r' || output != "csv") {
				t.Errorf("%s has %U", output, r)
			}
		}
		if n := strings.Count(stdout, "\n"); (output == "text" || output == "ndjson") && n != 3 {
			t.Errorf("%s has %d lines", output, n)
		}
	}
	stdout, _, _ := run(t, 0, "--db", dir, "-o", "csv")
	if records, err := csv.NewReader(strings.NewReader(stdout)).ReadAll(); err != nil || len(records) != 4 || len(records[0]) != numColumns {
		t.Errorf("CSV: %v", err)
	}
	var doc struct {
		Schema string
		Counts map[string]int
		Events []struct{ At, To struct{ Name string } }
	}
	stdout, _, _ = run(t, 0, "--db", dir, "-o", "json")
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || doc.Schema != "ibscope.events" || doc.Counts["critical"] != 1 || len(doc.Events) != 3 {
		t.Errorf("%v, %+v", err, doc)
	}
}
