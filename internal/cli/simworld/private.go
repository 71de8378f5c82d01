//go:build unix

package simworld

import (
	"fmt"
	"os"
	"syscall"
)

// checkPrivate makes sure that nobody else can put something into a directory.
func checkPrivate(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || ok && int(st.Uid) != os.Getuid() {
		return fmt.Errorf("%s is not a directory that only you can use: remove it, or name a --control path", dir)
	}
	return nil
}
