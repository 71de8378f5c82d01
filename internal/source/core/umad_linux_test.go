package core

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/umad"
)

// TestUmad opens FIFOs that stand for device files.
func TestUmad(t *testing.T) {
	tree := testenv.NewSysfs(t,
		testenv.SysfsCA{Name: "mlx5_0", Ports: []testenv.SysfsPort{{Num: 1, State: "1: DOWN"}, {Num: 2}}},
		testenv.SysfsCA{Name: "mlx5_1", Ports: []testenv.SysfsPort{{Num: 1}}})
	tree.Mkdir("infiniband")
	for _, name := range []string{"umad1", "umad2"} {
		if err := unix.Mkfifo(filepath.Join(tree.Root, "infiniband", name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := World{Getenv: noEnv, Host: umad.Host{Sys: tree.Root, Dev: tree.Root}}
	for uri, want := range map[string]string{
		"umad:": "mlx5_0 2", "umad": "mlx5_0 2", "umad:mlx5_0": "mlx5_0 2", "umad:mlx5_0/2": "mlx5_0 2",
		"umad:mlx5_1": "mlx5_1 1", UmadURI("mlx5_1", 1): "mlx5_1 1", UmadURI("", 1): "mlx5_1 1",
	} {
		s, err := w.Open(t.Context(), uri)
		if err != nil {
			t.Errorf("%s: %v", uri, err)
			continue
		}
		pair := s.Transport.(*umad.PortPair)
		if got := pair.SMI.Device() + " " + string(rune('0'+pair.SMI.Num())); got != want || pair.SMI != pair.GSI {
			t.Errorf("%s opens %s", uri, got)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: close: %v", uri, err)
		}
	}
	_, err := w.Open(t.Context(), "umad:mlx5_0/1")
	if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, unix.EIO) || strings.Contains(err.Error(), "\n") {
		t.Errorf("no device file: %v", err)
	}
}
