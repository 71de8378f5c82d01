package serve

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"strconv"

	"github.com/ibscope/ibscope/internal/service/config"
)

// become makes the directory of the state, and gives up the rights of root for those of
// a user. All threads of the process become that user; files that are open stay so.
func become(c *config.Config, logger *slog.Logger) error {
	if c.State != "" {
		if err := os.MkdirAll(c.State, 0o750); err != nil {
			return err
		}
	}
	if c.User == "" {
		return nil
	}
	u, err := lookup(c.User)
	if err != nil {
		return err
	}
	if os.Geteuid() == u.uid && os.Getegid() == u.gid {
		return nil // who starts it has done so already
	}
	if c.State != "" {
		if err := own(c.State, u); err != nil {
			return err
		}
	}
	if err := u.become(); err != nil {
		return fmt.Errorf("user %s: %w", c.User, err)
	}
	logger.Info("the ports are open, the rights of root are given up", "user", c.User)
	return nil
}

// account is a user with all groups.
type account struct {
	uid, gid int
	groups   []int
}

// lookup finds a user. One that there is not is os.ErrInvalid: a mistake in the
// configuration.
func lookup(name string) (*account, error) {
	u, err := user.Lookup(name)
	if errors.As(err, new(user.UnknownUserError)) {
		return nil, &noUser{name}
	}
	if err != nil {
		return nil, fmt.Errorf("user %s: %w", name, err)
	}
	a, err := accountOf(u)
	if err != nil {
		return nil, fmt.Errorf("user %s: %w", name, err)
	}
	return a, nil
}

// noUser is the error of a user that there is not.
type noUser struct{ name string }

func (e *noUser) Error() string { return fmt.Sprintf("user %q: not in /etc/passwd", e.name) }

// Is finds os.ErrInvalid.
func (e *noUser) Is(target error) bool { return target == os.ErrInvalid }

func accountOf(u *user.User) (_ *account, err error) {
	a := &account{}
	if a.uid, err = strconv.Atoi(u.Uid); err != nil {
		return nil, err
	}
	if a.gid, err = strconv.Atoi(u.Gid); err != nil {
		return nil, err
	}
	list, err := u.GroupIds()
	if err != nil {
		return nil, err
	}
	for _, text := range list {
		g, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		a.groups = append(a.groups, g)
	}
	return a, nil
}

// own gives a directory, and the files in it, to a user. What is in directories below is
// not ours.
func own(dir string, u *account) error {
	root, err := os.OpenRoot(dir) // a link must not lead elsewhere
	if err != nil {
		return err
	}
	defer root.Close()
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	files, err := d.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range append(files, ".") {
		if info, err := root.Lstat(name); err != nil || name != "." && !info.Mode().IsRegular() {
			continue
		}
		if err := root.Lchown(name, u.uid, u.gid); err != nil {
			return err
		}
	}
	return nil
}
