package top

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/internal/testenv"
)

// asProgram is set for a process that is the command, not the test.
const asProgram = "IBSCOPE_TEST_TOP"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	e := env.System()
	e.Sources = source.Others
	c := Command(e)
	c.SetArgs(e.Args[1:])
	if err := c.ExecuteContext(context.Background()); err != nil {
		os.Exit(1)
	}
}

// terminal is a terminal of tmux in which the command runs.
type terminal struct {
	t      *testing.T
	socket string
	raw    string // the file with all that the command wrote
}

func start(t *testing.T, width, height int, args ...string) *terminal {
	t.Helper()
	testenv.Need(t, "tmux")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	term := &terminal{t, filepath.Join(dir, "tmux"), filepath.Join(dir, "raw")}
	command := asProgram + "=1 TERM=screen-256color exec " + self
	for _, a := range args {
		command += " '" + a + "'"
	}
	// The shell waits until what it writes is copied.
	term.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "read go; "+command)
	t.Cleanup(func() { exec.Command("tmux", "-S", term.socket, "kill-server").Run() })
	term.tmux("pipe-pane", "cat >> "+term.raw)
	term.keys("Enter")
	return term
}

func (term *terminal) tmux(args ...string) string {
	term.t.Helper()
	out, err := exec.CommandContext(term.t.Context(), "tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func (term *terminal) keys(keys ...string) { term.tmux(append([]string{"send-keys"}, keys...)...) }

func (term *terminal) screen() string { return term.tmux("capture-pane", "-p") }

// wait waits for a text on the screen.
func (term *terminal) wait(text string) string {
	term.t.Helper()
	for range 600 {
		if s := term.screen(); strings.Contains(s, text) {
			return s
		}
		time.Sleep(50 * time.Millisecond)
	}
	term.t.Fatalf("no %q on the screen:\n%s", text, term.screen())
	return ""
}

// clock is what a screen tells of time.
var clock = regexp.MustCompile(`(\d+[hms]+)+ ago +\d\d:\d\d:\d\d`)

// stable is a screen without times, and without blanks that tmux has cut or not.
func stable(screen string) string {
	lines := strings.Split(strings.TrimRight(clock.ReplaceAllString(screen, "TIME ago"), "\n"), "\n")
	lines[0] = strings.Join(strings.Fields(lines[0]), " ")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestTerminal runs the command in a real terminal, and presses keys.
func TestTerminal(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 50}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		term := start(t, size[0], size[1], "--fabric", "file:testdata/small.topo")
		testenv.Golden(t, "terminal."+name, []byte(stable(term.wait("1-"))))
		term.keys("Down", "Enter")
		testenv.Golden(t, "terminal-node."+name, []byte(stable(term.wait("Errors Link"))))
		term.keys("?")
		term.wait("Any key goes back")
		term.keys("q", "q")
		term.ended()
	}
}

// ended waits until the program has ended, and with it tmux.
func (term *terminal) ended() {
	term.t.Helper()
	for range 200 {
		err := exec.Command("tmux", "-S", term.socket, "list-sessions").Run()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	term.t.Error("the program did not end")
}

// TestNoFlicker makes sure that nothing is erased that is written again: after the first
// screen only what changes is sent.
func TestNoFlicker(t *testing.T) {
	term := start(t, 80, 24, "--fabric", "sim:fattree?levels=2&radix=8&traffic=30%25", "--interval", "200ms")
	term.wait("Gb/s 4xHDR")
	before := len(term.written())
	time.Sleep(3 * time.Second)
	after := term.written()[before:]
	for _, code := range []string{"\x1b[2J", "\x1b[H\x1b[J", "\x1b[?1049h"} {
		if strings.Contains(after, code) {
			t.Errorf("the screen is erased: %q in %d bytes", code, len(after))
		}
	}
	if len(after) == 0 {
		t.Error("the screen stands still")
	}
	if whole := 80 * 24; len(after) > 20*whole {
		t.Errorf("%d bytes in three seconds: whole screens are sent again", len(after))
	}
	term.keys("q")
	term.ended()
}

func (term *terminal) written() string {
	b, err := os.ReadFile(term.raw)
	if err != nil {
		term.t.Fatal(err)
	}
	return string(b)
}
