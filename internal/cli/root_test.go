package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/cli/applets"
)

func TestToolsAndManPages(t *testing.T) {
	stdout, _, code := run(t, "ibscope", "tools")
	if code != 0 || !strings.Contains(stdout, "ibnetdiscover\n") {
		t.Fatalf("tools: %d, %q", code, stdout)
	}
	dir := filepath.Join(t.TempDir(), "share", "man") // is made
	if _, stderr, code := run(t, "ibscope", "man", dir); code != 0 {
		t.Fatalf("man: %d, %s", code, stderr)
	}
	for tool := range strings.Lines(stdout) {
		name := filepath.Join(dir, "man8", strings.TrimSpace(tool)+".8")
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), ".SH DESCRIPTION") {
			t.Errorf("%s: %v: no description", name, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "man1", "ibscope-discover.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`\-\-max\-hops N`, ".SH EXAMPLES", ".SH EXIT STATUS"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("ibscope-discover.1 has no %q", want)
		}
	}
}

// TestEverySubcommandHasAnExample also makes sure that all help works.
func TestEverySubcommandHasAnExample(t *testing.T) {
	for _, c := range newRoot(&Env{}, new(int)).Commands() {
		if _, isApplet := applets.Find(c.Name()); isApplet {
			continue
		}
		if c.Example == "" || c.Short == "" || c.Long == "" {
			t.Errorf("%s lacks an example or a description", c.Name())
		}
		if stdout, _, code := run(t, "ibscope", c.Name(), "--help"); code != 0 || !strings.Contains(stdout, "Examples:") {
			t.Errorf("%s --help: exit code %d", c.Name(), code)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if stdout, _, code := run(t, "ibscope", "completion", shell); code != 0 || !strings.Contains(stdout, "ibscope") {
			t.Errorf("%s: exit code %d", shell, code)
		}
	}
	for line, want := range map[string]string{
		"ibnetdiscover __complete --load":         "--load-cache",
		"ibscope __complete ibnetdiscover --load": "--load-cache",
		"ibscope __complete discover --max-h":     "--max-hops",
		"ibscope __complete ibne":                 "ibnetdiscover",
	} {
		if stdout, _, _ := run(t, strings.Fields(line)...); !strings.HasPrefix(stdout, want) {
			t.Errorf("%s gives %q", line, stdout)
		}
	}
}

// TestMistakesInNames pins that a command that is not there is a mistake of one
// line, wherever it stands.
func TestMistakesInNames(t *testing.T) {
	for line, want := range map[string]string{
		"ibscope snapshot f":  `"ibscope snapshot" takes no arguments, found "f"`,
		"ibscope trace a":     `expected "ibscope trace FROM TO", found "a"`,
		"ibscope trace":       `expected "ibscope trace FROM TO", found no arguments`,
		"ibscope nosuch":      `unknown command "nosuch" for "ibscope"`,
		"ibscope discove":     `unknown command "discove" for "ibscope"; did you mean discover?`,
		"ibscope help nosuch": `unknown command "nosuch" for "ibscope"`,
		"ibscope sim nosuch":  `unknown command "nosuch" for "ibscope sim"`,
	} {
		stdout, stderr, code := run(t, strings.Fields(line)...)
		if first, _, _ := strings.Cut(stderr, "\n"); code != 2 || stdout != "" || first != "ibscope: "+want {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", line, code, stdout, stderr)
		}
	}
	if _, stderr, _ := run(t, "ibscope", "sim", "export"); !strings.HasSuffix(stderr, "\nTry 'ibscope sim export --help'.\n") {
		t.Errorf("ibscope sim export: stderr %q", stderr)
	}
	if stdout, _, code := run(t, "ibscope", "sim"); code != 0 || !strings.Contains(stdout, "Usage:") {
		t.Errorf("ibscope sim: exit code %d, %q", code, stdout)
	}
}
