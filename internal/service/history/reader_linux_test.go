package history

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// readerVariable has the file that a process of another user is to read.
const readerVariable = "IBSCOPE_TEST_HISTORY_READER"

// TestReader stands for that process; by itself it does nothing.
func TestReader(t *testing.T) {
	path := os.Getenv(readerVariable)
	if path == "" {
		return
	}
	db, err := Open(t.Context(), path, &Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if list, err := db.Events(t.Context(), nil); err != nil || len(list) != 1000 {
		t.Errorf("%d events, %v", len(list), err)
	}
}

// TestOtherUser: who may read the file and no more can read it, whether somebody writes
// it or not.
func TestOtherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	path := filled(t)
	program := filepath.Join(t.TempDir(), "test")
	data, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(program, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, program} {
		for dir := filepath.Dir(file); dir != filepath.Clean(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	read := func() {
		t.Helper()
		c := exec.Command(program, "-test.run", "^TestReader$")
		c.Env = append(os.Environ(), readerVariable+"="+path)
		c.Dir = filepath.Dir(path)
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
			t.Errorf("%v: %s", err, out)
		}
	}
	read()
	db, err := Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.storeEvents(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	read()
}
