package testenv

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// ShellCount is the number that a line of shell prints about a file, $1: a count
// that shares no code with what is tested.
func ShellCount(t testing.TB, line, file string) int {
	t.Helper()
	Need(t, "sh", "awk", "grep")
	out, err := exec.CommandContext(t.Context(), "sh", "-c", line, "sh", file).Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return n
}
