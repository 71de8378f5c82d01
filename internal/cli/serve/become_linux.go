package serve

import (
	"errors"
	"fmt"
	"syscall"
)

// become makes all threads of the process those of the account, for ever.
func (u *account) become() error {
	// The user comes last: afterwards there is no right to change the others.
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"groups", func() error { return syscall.Setgroups(u.groups) }},
		{"group", func() error { return syscall.Setresgid(u.gid, u.gid, u.gid) }},
		{"user", func() error { return syscall.Setresuid(u.uid, u.uid, u.uid) }},
	} {
		if err := step.do(); err != nil {
			return fmt.Errorf("change of %s: %w", step.name, err)
		}
	}
	if u.uid != 0 && syscall.Setuid(0) == nil {
		return errors.New("the rights of root could not be given up")
	}
	return nil
}
