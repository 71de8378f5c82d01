package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestOpenGivesUpOnAPipe: nobody writes to the pipe, so that opening it waits for
// ever, but for the context.
func TestOpenGivesUpOnAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"file:", "sim:"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Open(ctx, scheme+pipe, os.Getenv); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, expected context.Canceled", scheme, err)
		}
	}
	// Let the readers go.
	w, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
}

// TestOpenDatabaseOfPipe: what comes through a pipe is read once.
func TestOpenDatabaseOfPipe(t *testing.T) {
	const database = "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,LocalPortNum\n\"a\",1,1,0xa,0xa1,1\nEND_NODES\n"
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile(pipe, []byte(database), 0)
	s, err := Open(t.Context(), "file:"+pipe, os.Getenv)
	if err != nil || s.Stored.NumNodes() != 1 {
		t.Error(err)
	}
}
