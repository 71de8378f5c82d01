package diags

import (
	"bytes"
	"errors"
	"io"
	"syscall"
	"testing"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// A fatal error is told on stdout, as C does, unless that is what failed.
func TestCodeTellsAFatalErrorWhereItCanBeRead(t *testing.T) {
	var out, errOut bytes.Buffer
	for _, c := range []struct {
		name        string
		stdout      io.Writer
		out, errOut string
	}{
		{"works", &out, "x: iberror: failed: no room\n", ""},
		{"full", full{}, "", "x: iberror: failed: no room\n"},
	} {
		out.Reset()
		errOut.Reset()
		e := &env.Env{Args: []string{"x"}, Stdout: c.stdout, Stderr: &errOut}
		if code := Code(e, errors.New("no room")); code != ExitFatal {
			t.Errorf("%s: exit code %d, expected %d", c.name, code, ExitFatal)
		}
		if out.String() != c.out || errOut.String() != c.errOut {
			t.Errorf("%s: stdout %q, stderr %q, expected %q and %q", c.name, out.String(), errOut.String(), c.out, c.errOut)
		}
	}
}

// The text of a fatal error and its cause may be the same.
func TestNoteFatalSaysItOnce(t *testing.T) {
	for _, c := range []struct {
		fatal Fatal
		want  string
	}{
		{Fatal{Text: "no room", Cause: errors.New("no room")}, "x: no room\n"},
		{Fatal{Text: "caching failed", Cause: errors.New("no room")}, "x: caching failed: no room\n"},
	} {
		var errOut bytes.Buffer
		common := &Common{env: &env.Env{Args: []string{"x"}, Stderr: &errOut}, tool: &Tool{Name: "x"}}
		common.noteFatal(&c.fatal)
		if errOut.String() != c.want {
			t.Errorf("stderr %q, expected %q", errOut.String(), c.want)
		}
	}
}

// full is a stream on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }
