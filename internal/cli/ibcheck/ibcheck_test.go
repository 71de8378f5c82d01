package ibcheck

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim/gen"
)

// run runs a command line on a simulated star of four adapters.
func try(t *testing.T, p *program, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Sources: source.Others,
		Args:    append([]string{p.tool.Name}, args...), Stdout: &out, Stderr: &told, Now: time.Now,
		Getenv: func(name string) string {
			if name == "IBSCOPE_FABRIC" {
				return "sim:star?hosts=4"
			}
			return ""
		},
		IsTerminal: func(any) bool { return false },
	}
	code = p.run(t.Context(), e)
	return out.String(), told.String(), code
}

// switchOf is the LID and the description of the switch of that star.
func switchOf(t *testing.T) (lid, name string) {
	t.Helper()
	f, err := gen.Parse("star?hosts=4")
	if err != nil {
		t.Fatal(err)
	}
	for n := range f.Switches() {
		return n.Port(0).LID().String(), n.Description()
	}
	t.Fatal("no switch")
	return "", ""
}

func TestOne(t *testing.T) {
	lid, name := switchOf(t)
	for _, test := range []struct {
		p    *program
		args string
		out  string
		code int
	}{
		{&nodeProgram, "-v -N LID", "Node check lid LID: OK\n", 0},
		{&nodeProgram, "-v LID", "Node check lid LID: OK\n", 0}, // this is no terminal
		{&nodeProgram, "LID", "", 0},
		{&nodeProgram, "-N 77", "lid 77 address resolution: FAILED\n", 255},
		{&portProgram, "-v -nocolor LID 1", "Port check lid LID port 1: OK\n", 0},
		{&stateProgram, "-v -N LID 1", "Port check lid LID port 1: OK\n", 0},
		{&widthProgram, "-v -N LID 1", "Port check lid LID port 1: OK\n", 0},
		{&errorsProgram, "-b -v -N LID 1", "Error check on lid LID (NAME) port 1: OK\n", 0},
		{&nodeProgram, "", "Usage: ibchecknode ", 255},
		{&portProgram, "LID", "Usage: ibcheckport ", 255},
		{&portProgram, "LID 256", "Usage: ibcheckport ", 255},
		{&nodeProgram, "-vN LID", "Usage: ibchecknode ", 255},
		{&nodeProgram, "-t", "Usage: ibchecknode ", 255},
		{&errorsProgram, "-T /nowhere LID", "Can't use threshold file '/nowhere'\nUsage: ", 255},
	} {
		args := strings.Fields(strings.ReplaceAll(test.args, "LID", lid))
		out, told, code := try(t, test.p, args...)
		want := strings.NewReplacer("lid LID", "lid "+lid, "NAME", name).Replace(test.out)
		if out != want && !(strings.Contains(want, "Usage: ") && strings.HasPrefix(out, want)) {
			t.Errorf("%s %s: %q, want %q; %s", test.p.tool.Name, test.args, out, want, told)
		}
		if code != test.code {
			t.Errorf("%s %s: exit %d, want %d; %s", test.p.tool.Name, test.args, code, test.code, told)
		}
	}
}

// TestWhole: the summaries of scripts that go through a fabric.
func TestWhole(t *testing.T) {
	for _, test := range []struct {
		p    *program
		want string
	}{
		{&netWalk, "\n## Summary: 5 nodes checked, 0 bad nodes found\n##          8 ports checked, 0 bad ports found\n##          0 ports have errors beyond threshold\n"},
		{&stateWalk, "\n## Summary: 5 nodes checked, 0 bad nodes found\n##          8 ports checked, 0 ports with bad state found\n"},
		{&widthWalk, "\n## Summary: 5 nodes checked, 0 bad nodes found\n##          8 ports checked, 0 ports with 1x width in error found\n"},
		{&errorsWalk, "\n## Summary: 5 nodes checked, 0 bad nodes found\n##          8 ports checked, 0 ports have errors beyond threshold\n"},
		{&dataWalk, "\n## Summary: 5 nodes checked, 0 bad nodes found\n##          8 ports checked\n"},
	} {
		out, told, code := try(t, test.p, "-N")
		if !strings.HasSuffix(out, test.want) || code != 0 {
			t.Errorf("%s: exit %d\n%s%s", test.p.tool.Name, code, out, told)
		}
	}
}

// TestFailedLines: how outcomes that are not well are printed.
func TestFailedLines(t *testing.T) {
	o := &outcome{head: "Port check lid 3 port 2", Findings: []finding{{line: "#warn: one"}, {line: "#warn: two"}}}
	for _, test := range []struct {
		style style
		want  string
	}{
		{style{mono: true}, "#warn: one\n#warn: two\nPort check lid 3 port 2: FAILED\n"},
		{style{mono: true, brief: true}, "Port check lid 3 port 2: FAILED\n"},
		{style{}, "\x1b[1;034m#warn: one\n#warn: two\n\x1b[0;39mPort check lid 3 port 2: \x1b[1;031m FAILED \x1b[0;39m\n"},
	} {
		var b bytes.Buffer
		test.style.print(&b, o)
		if b.String() != test.want {
			t.Errorf("%+v: %q", test.style, b.String())
		}
	}
}

func TestThresholds(t *testing.T) {
	limits := usualThresholds()
	text := "# mine\nSymbolErrorCounter=3\nVL15Dropped=\"0\"\nOther=7\n"
	if err := limits.read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if limits[0].limit != 3 || limits[11].limit != 0 || limits[1].limit != 10 {
		t.Errorf("%+v", limits)
	}
	if err := limits.read(strings.NewReader("PortRcvErrors=$(id)\n")); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a command is taken for a number: %v", err)
	}
	file := filepath.Join(t.TempDir(), "thresholds")
	if err := os.WriteFile(file, []byte("SymbolErrorCounter=77\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, code := try(t, &errorsProgram, "-T", file, "-s")
	if code != 0 || !strings.HasPrefix(out, "SymbolErrorCounter=77\nLinkErrorRecoveryCounter=10\n") {
		t.Errorf("exit %d, %s", code, out)
	}
	counters := pma.PortCounters{VL15Dropped: 7}
	if v := limits[11].value(&counters); v != 7 {
		t.Errorf("VL15Dropped is %d", v)
	}
}
