package draw_test

import (
	"bytes"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/draw"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source"
)

// run runs the command on a simulated fabric, or what the arguments name.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, complaints bytes.Buffer
	e := &env.Env{
		Sources: source.Others,
		Args:    []string{"ibscope"}, Stdout: &out, Stderr: &complaints, Now: time.Now,
		Getenv: func(name string) string {
			if name == "IBSCOPE_FABRIC" {
				return "sim:fattree?levels=2&radix=4"
			}
			return ""
		},
		IsTerminal: func(any) bool { return false },
	}
	c := draw.Command(e)
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.ExecuteContext(t.Context())
	var exit *env.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.Code
		if exit.Err != nil {
			complaints.WriteString(exit.Err.Error())
		}
	case err != nil:
		t.Fatal(err)
	}
	return out.String(), complaints.String(), code
}

// Each format is what it says, with the title that was given.
func TestFormats(t *testing.T) {
	for format, begin := range map[string]string{"svg": "<svg ", "html": "<!doctype html>", "png": "\x89PNG"} {
		stdout, stderr, code := run(t, "-o", format, "--title", "Hall 2")
		if code != 0 || !strings.HasPrefix(stdout, begin) || stderr != "" {
			t.Errorf("%s: exit %d, %q, %.80q", format, code, stderr, stdout)
		}
		if format != "png" && !strings.Contains(stdout, "<title>Hall 2</title>") {
			t.Errorf("%s has no title", format)
		}
	}
}

// A file is written as a whole, and a collapsed picture is smaller.
func TestFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fabric.png")
	if _, stderr, code := run(t, "-o", "png", "--output-file", file); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		t.Error(err)
	}
	all, _, _ := run(t, "--collapse", "none")
	hosts, _, _ := run(t, "--collapse", "hosts")
	if a, b := strings.Count(all, "<rect"), strings.Count(hosts, "<rect"); b >= a {
		t.Errorf("%d boxes, with hosts collapsed %d", a, b)
	}
}

// Errors are read when asked for, and are the colours then.
func TestErrors(t *testing.T) {
	stdout, stderr, code := run(t, "--colour", "errors")
	if code != 0 || !strings.Contains(stdout, ">no errors</text>") || strings.Contains(stdout, ">HDR</text>") {
		t.Errorf("exit %d, %q, %.300s", code, stderr, stdout)
	}
}

func TestRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"--output pdf: there are svg, png, html":                        {"-o", "pdf"},
		"--colour blue: there are speed, errors":                        {"--colour", "blue"},
		"--collapse x: there are auto, none, hosts, pods":               {"--collapse", "x"},
		"--node-name-map: open /nonexistent: no such file or directory": {"--node-name-map", "/nonexistent"},
	} {
		stdout, stderr, code := run(t, args...)
		if code == 0 || stdout != "" || stderr != want {
			t.Errorf("%v: exit %d, %q, want %q", args, code, stderr, want)
		}
	}
}
