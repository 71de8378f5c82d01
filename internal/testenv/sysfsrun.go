package testenv

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Run runs a program that sees the tree's class directory as /sys/class, by a
// bind mount in a mount namespace of its own, and /dev as it is. It skips the test
// where such namespaces cannot be made. The program is looked for as by Tool; it
// gets its plain name as the first argument.
func (s *Sysfs) Run(program string, args ...string) (stdout, stderr string, code int) {
	s.t.Helper()
	Need(s.t, "mount-namespace")
	path := Tool(s.t, program)
	ctx, cancel := context.WithTimeout(s.t.Context(), runTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", append([]string{
		"-c",
		`mount --bind "$0" /sys/class && exec -a "$1" "$2" "${@:3}"`,
		filepath.Join(s.Root, "class"), filepath.Base(program), path,
	}, args...)...)
	cmd.SysProcAttr = ownMounts()
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.WaitDelay = time.Second
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || !exit.Exited()) {
		s.t.Fatalf("%v: %v\n%s", cmd.Args, err, tail(errOut.String()))
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// canMount reports whether this process can make a mount namespace.
func canMount() bool {
	cmd := exec.Command("bash", "-c", "mount --bind /tmp /tmp")
	if cmd.SysProcAttr = ownMounts(); cmd.SysProcAttr == nil {
		return false
	}
	return cmd.Run() == nil
}
