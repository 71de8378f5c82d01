package diags

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

var probe = Tool{Name: "probe", Operands: "<x>", Options: []getopt.Option{{Long: "outstanding", Short: 'o', Arg: "n"}}}

func parseProbe(t *testing.T, args ...string) (*Common, *env.Env, *strings.Builder, error) {
	t.Helper()
	var out strings.Builder
	e := &env.Env{
		Args: append([]string{"probe"}, args...), Stdout: &out, Stderr: &strings.Builder{},
		Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false },
	}
	c, _, err := probe.Parse(e, func(*getopt.Option, string) error { return nil })
	return c, e, &out, err
}

func TestDocument(t *testing.T) {
	c, _, out, err := parseProbe(t, "--output", "json")
	if err != nil {
		t.Fatal(err)
	}
	c.Problem(&madrpc.Error{
		Op: "Get", Class: mad.ClassSubnLID, Attr: smp.AttrPortInfo, Modifier: 3, Target: mad.ByLID(7),
		Tries: 4, Err: os.ErrDeadlineExceeded,
	})
	if err := c.PrintDocument(struct {
		Name string `json:"name"`
	}{"a\x1b[31m\u202e\"<"}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") {
		t.Errorf("the document holds what a terminal acts on: %q", out.String())
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"schema": "ibscope.probe", "version": 1.0, "complete": false, "name": "a\x1b[31m\u202e\"<",
		"problems": []any{map[string]any{
			"kind": "no-reply", "message": got["problems"].([]any)[0].(map[string]any)["message"], "loss": true,
			"lid": 7.0, "attribute": "PortInfo", "modifier": 3.0, "error": os.ErrDeadlineExceeded.Error(),
		}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFatalDocument(t *testing.T) {
	_, e, out, err := parseProbe(t, "--output=json")
	if err != nil {
		t.Fatal(err)
	}
	if code := Code(e, &Fatal{Text: "query", Cause: os.ErrNotExist}); code != ExitFatal {
		t.Errorf("exit code %d", code)
	}
	var got documentHead
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	if got.Complete || len(got.Problems) != 1 || got.Problems[0].Message != "query: file does not exist" {
		t.Errorf("got %+v", got)
	}
}

// TestExtensions makes sure that options of ours take nothing away from C's.
func TestExtensions(t *testing.T) {
	if c, _, _, err := parseProbe(t, "--out", "3", "-o", "4"); err != nil || c.JSON {
		t.Errorf("abbreviations of C's option: %v, %v", c, err)
	}
	if _, _, _, err := parseProbe(t, "--fab", "sim:"); err == nil {
		t.Error("an option of ours was found by an abbreviation")
	}
	if c, _, _, err := parseProbe(t, "--fabric", "sim:x", "--pcap=f"); err != nil || c.Fabric() != "sim:x" || c.PCAP != "f" {
		t.Errorf("got %+v, %v", c, err)
	}
	if c, _, _, err := parseProbe(t, "-Y", "0x10"); err != nil || c.PKeyIndex != 16 {
		t.Errorf("-Y 0x10: %+v, %v", c, err)
	}
	if _, _, _, err := parseProbe(t, "-Y", "65536"); err == nil {
		t.Error("-Y 65536 was accepted")
	}
	if _, _, _, err := parseProbe(t, "--output", "xml"); err == nil {
		t.Error("--output xml was accepted")
	}
}

func TestUsageShowsExtensionsToPeopleOnly(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var stderr strings.Builder
		e := &env.Env{Args: []string{"probe"}, Stderr: &stderr, IsTerminal: func(any) bool { return terminal }}
		probe.Usage(e)
		if got := strings.Contains(stderr.String(), "--fabric"); got != terminal {
			t.Errorf("on a terminal: %v; extensions shown: %v", terminal, got)
		}
	}
}
