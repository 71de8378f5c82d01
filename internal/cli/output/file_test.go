package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteReplacesOnSuccessOnly(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	if err := os.WriteFile(name, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := Write(name, nil, func(w io.Writer) error {
		io.WriteString(w, "half")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got error %v", err)
	}
	if got, _ := os.ReadFile(name); string(got) != "before" {
		t.Errorf("after a failure the file holds %q", got)
	}
	if err := Write(name, nil, func(w io.Writer) error { _, err := io.WriteString(w, "after"); return err }); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "after" {
		t.Errorf("the file holds %q", got)
	}
	if fi, _ := os.Stat(name); fi.Mode().Perm() != 0o600 {
		t.Errorf("the mode became %v", fi.Mode())
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("files are left over: %v", entries)
	}
}

func TestWriteToStdoutAndDevice(t *testing.T) {
	var b strings.Builder
	hello := func(w io.Writer) error { _, err := io.WriteString(w, "hello"); return err }
	if err := Write("-", &b, hello); err != nil || b.String() != "hello" {
		t.Errorf("got %q, %v", b.String(), err)
	}
	if err := Write("/dev/null", nil, hello); err != nil {
		t.Errorf("/dev/null: %v", err)
	}
	err := Write("/nonexistent/x", nil, hello)
	if !errors.Is(err, os.ErrNotExist) || err.Error() != "open /nonexistent/x: no such file or directory" {
		t.Errorf("got %v, want os.ErrNotExist and the name of the file", err)
	}
}
