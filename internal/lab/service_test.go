package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// deployed are the commands of a section of docs/deploy.md.
func deployed(t *testing.T, section string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, found := strings.Cut(string(text), "\n## "+section+"\n")
	_, part, begun := strings.Cut(part, "```sh\n")
	commands, _, ended := strings.Cut(part, "```")
	if !found || !begun || !ended {
		t.Fatalf("docs/deploy.md has no commands under %s", section)
	}
	return commands
}

// TestService installs the unit on a Debian with systemd, as docs/deploy.md tells, and has
// it started, read its configuration again, killed, and stopped. It is one boot.
func TestService(t *testing.T) {
	need(t)
	dir := t.TempDir()
	g := &Guest{Memory: 1536, Limit: 12 * time.Minute}
	if err := g.AddIbscope(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	commands := strings.TrimSpace(deployed(t, "systemd"))
	last := strings.LastIndexByte(commands, '\n')
	for name, text := range map[string]string{"install": commands[:last], "start": commands[last+1:]} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		g.Files = append(g.Files, File{Name: name, Path: filepath.Join(dir, name)})
	}
	g.Files = append(g.Files,
		File{Name: "contrib/systemd", Path: "../../contrib/systemd"}, File{Name: "contrib/udev", Path: "../../contrib/udev"},
		File{Name: "bin/ibscope", Path: filepath.Join(dir, "ibscope")},
		File{Name: "checks", Path: "testdata/checks.sh"}, File{Name: "probe", Path: "testdata/probe.sh"})
	boot, err := os.ReadFile("testdata/boot.sh")
	if err != nil {
		t.Fatal(err)
	}
	g.Script = string(boot)
	if err := os.MkdirAll(filepath.Join(dir, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := output(t.Context(), "", "cp", debianRoot(t.Context(), t), filepath.Join(dir, "out", "root.tar")); err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), dir, g)
	if err != nil {
		t.Fatal(err)
	}
	checks := string(r.file(t, "checks"))
	t.Logf("%s", checks)
	if strings.Contains(checks, "FAILED") || !strings.HasSuffix(checks, "\ndone\n") {
		t.Errorf("the checks\n%s\n%s", checks, r.file(t, "complaints"))
	}
}
