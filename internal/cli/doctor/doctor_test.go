package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ibscope/ibscope/hostcheck"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/testenv"
)

var now = time.Date(2026, 11, 29, 19, 43, 42, 0, time.UTC)

// run runs the command on a tree of files.
func run(t testing.TB, sys string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errOut bytes.Buffer
	e := &env.Env{
		Args: []string{"ibscope"}, Stdout: &out, Stderr: &errOut,
		Getenv: func(name string) string { // lines must not break by the length of the tree's name
			return map[string]string{"COLUMNS": "1000"}[name]
		},
		Now:        func() time.Time { return now },
		IsTerminal: func(any) bool { return false },
		Sys:        sys, Dev: filepath.Join(sys, "dev"), Proc: filepath.Join(sys, "proc"),
	}
	c := Command(e)
	c.SetArgs(append([]string{}, args...)) // nil would be those of the test
	c.SilenceErrors, c.SilenceUsage = true, true
	var exit *env.ExitError
	if err := c.ExecuteContext(t.Context()); errors.As(err, &exit) {
		code = exit.Code
		if exit.Err != nil {
			e.Complain("%v", exit.Err)
		}
	} else if err != nil {
		t.Fatal(err)
	}
	// The tree stands in another place each time.
	return strings.ReplaceAll(out.String(), sys, ""), errOut.String(), code
}

// host is a machine with an active port, all modules and no device file.
func host(t testing.TB) *testenv.Sysfs {
	s := testenv.NewSysfs(t, testenv.SysfsCA{Name: "mlx5_0", Ports: []testenv.SysfsPort{{Num: 1}}})
	s.Mkdir("class/infiniband_verbs")
	s.Mkdir("module/ib_ipoib")
	s.Write("proc/self/limits", "Max locked memory         8388608              8388608              bytes")
	return s
}

func TestGolden(t *testing.T) {
	none := testenv.NewSysfs(t)
	none.Remove("class")
	for name, test := range map[string]struct {
		sys  string
		args []string
		code int
	}{
		"nordma":  {none.Root, nil, 1},
		"nofile":  {host(t).Root, nil, 1},
		"verbose": {host(t).Root, []string{"-v", "--passive"}, 0},
		"json":    {host(t).Root, []string{"-o", "json"}, 1},
	} {
		stdout, stderr, code := run(t, test.sys, test.args...)
		if code != test.code || stderr != "" {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
		testenv.Golden(t, name+".golden", []byte(stdout))
	}
}

func TestExitCode(t *testing.T) {
	s := host(t)
	for _, test := range []struct {
		name string
		make func()
		args []string
		want int
	}{
		{"notes", func() {}, []string{"--passive"}, 0},
		{"warnings", func() { s.Remove("class/infiniband_verbs") }, []string{"--passive"}, 3},
		{"another device", func() {}, []string{"--passive", "--device", "mlx5_7"}, 1},
		{"failures", func() { s.Remove("class/infiniband_mad") }, []string{"--passive", "--device", "mlx5_0/1"}, 1},
		{"output", func() {}, []string{"-o", "xml"}, 2},
		{"port", func() {}, []string{"--device", "mlx5_0/x"}, 2},
		{"timeout", func() {}, []string{"--timeout", "0s"}, 2},
	} {
		test.make()
		if _, stderr, code := run(t, s.Root, test.args...); code != test.want || (code == 2) != (stderr != "") {
			t.Errorf("%s: exit code %d, %s", test.name, code, stderr)
		}
	}
}

// report has a finding of each severity, and text that attacks terminals.
func report() *hostcheck.Report {
	return &hostcheck.Report{Findings: []hostcheck.Finding{
		{Check: hostcheck.Adapter, Text: "Fine."},
		{Check: hostcheck.Firmware, Severity: hostcheck.Note, Text: "Different.", Evidence: []string{"MT\x1b[2J\n: 1 on a", "\u202eMT: 2 on b"}},
		{Check: hostcheck.VerbsFile, Severity: hostcheck.Warning, Device: "mlx\x9b5", Text: strings.Repeat("long ", 30) + "text.", Evidence: []string{"\xff\u2028"}},
		{
			Check: hostcheck.UmadFile, Severity: hostcheck.Failure, Device: "mlx5_0", Port: 2, Text: "Bad.",
			Remedy: []string{"echo " + strings.Repeat("x", 120), "# second\x07"},
		},
	}}
}

func TestHostile(t *testing.T) {
	for _, width := range []int{0, 10, 60, 200} {
		var b bytes.Buffer
		printer{w: &b, width: width, verbose: true}.report(report())
		checkPlain(t, b.String())
		for line := range strings.Lines(b.String()) {
			n := utf8.RuneCountInString(line) - 1
			if width >= minWidth && n > width && !strings.Contains(line, "xxx") {
				t.Errorf("width %d: a line of %d: %q", width, n, line)
			}
		}
	}
	var b bytes.Buffer
	if err := output.JSON(&b, document(report(), now)); err != nil {
		t.Fatal(err)
	}
	checkPlain(t, b.String())
}

func checkPlain(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if !strconv.IsPrint(r) && r != '\n' {
			t.Errorf("%U in %q", r, text)
		}
	}
}

func TestColour(t *testing.T) {
	var plain, coloured bytes.Buffer
	printer{w: &plain}.report(report())
	printer{w: &coloured, colour: true}.report(report())
	stripped := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(coloured.String(), "")
	if stripped != plain.String() {
		t.Errorf("colours move the text:\n%s", &coloured)
	}
	for _, want := range []string{"\x1b[1;31mfailure\x1b[0m", "\x1b[33mwarning", "\x1b[36mnote", "\x1b[32mok"} {
		if !strings.Contains(coloured.String(), want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestRemedyIsWhole makes sure that commands can be copied: one line each.
func TestRemedyIsWhole(t *testing.T) {
	var b bytes.Buffer
	printer{w: &b, width: 60}.report(report())
	if !strings.Contains(b.String(), "do    echo "+strings.Repeat("x", 120)+"\n") {
		t.Errorf("%s", &b)
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := output.JSON(&b, document(report(), now)); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schema, Worst string
		Version       int
		Counts        map[string]int
		Findings      []map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "ibscope.doctor" || doc.Version != 1 || doc.Worst != "failure" || len(doc.Findings) != 4 {
		t.Errorf("%+v", doc)
	}
	for _, severity := range []string{"ok", "notes", "warnings", "failures"} {
		if doc.Counts[severity] != 1 {
			t.Errorf("counts %v", doc.Counts)
		}
	}
	if _, has := doc.Findings[0]["device"]; has || doc.Findings[3]["port"] != 2.0 || doc.Findings[3]["check"] != "umad-file" {
		t.Errorf("%v", doc.Findings)
	}
}
