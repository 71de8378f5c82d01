package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// labDir is where the script and the files are in the guest, the script's
// working directory, and first in PATH.
const labDir = "/lab"

// A Guest is a machine to be booted for one script.
type Guest struct {
	// Script is run by busybox sh in /lab as root, with nothing on standard input.
	Script string

	// Files are copied into /lab. Programs must be static (CGO_ENABLED=0), or
	// need no library that the C tools do not have. A file "ibscope" has its
	// drop-in names as links in /ours.
	Files []File

	NoRXE  bool          // leave the soft-RoCE devices out
	Memory int           // MB; 0 = 384
	Boot   time.Duration // limit for the boot, 0 = 90 s; a boot that takes longer is tried once more
	Limit  time.Duration // limit for the script, 0 = 5 minutes
}

// File is a file or a directory for the guest.
type File struct {
	Name string // below /lab
	Path string // on this machine
}

// Result is what a script left.
type Result struct {
	Stdout, Stderr []byte
	Code           int    // of the script
	Dmesg          []byte // the kernel's messages
	Out            string // the folder that the guest sees as /out: what the script wrote there
	Console        []byte // the serial console, for a look when something went wrong
	Boots          int    // 2 when the first boot hung
}

// Error says what did not work. Unwrap gives the cause; Console is what the
// guest said until then.
type Error struct {
	Op      string // "prepare", "boot", "script"
	Err     error
	Console []byte
}

func (e *Error) Error() string {
	text := fmt.Sprintf("lab: %s: %v", e.Op, e.Err)
	if len(e.Console) > 0 {
		text += "\n" + string(tail(e.Console, 2000))
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }

// Run boots the guest, runs its script, and gives back what it printed. dir is
// a folder for the guest's output; it must exist, and is the caller's to remove.
// A script that exits with a code other than 0 is no error. Errors wrap
// ErrMissing, context.DeadlineExceeded for a script that took too long, and
// ErrBoot.
func Run(ctx context.Context, dir string, g *Guest) (*Result, error) {
	if err := Missing(); err != nil {
		return nil, &Error{Op: "prepare", Err: err}
	}
	k, err := prepared(ctx)
	if err != nil {
		return nil, &Error{Op: "prepare", Err: err}
	}
	image, err := g.image(k)
	if err != nil {
		return nil, &Error{Op: "prepare", Err: err}
	}
	initrd := filepath.Join(dir, "initrd")
	if err := os.WriteFile(initrd, image, 0o644); err != nil {
		return nil, &Error{Op: "prepare", Err: err}
	}
	defer os.Remove(initrd)
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, &Error{Op: "prepare", Err: err}
	}
	r := &Result{Out: out}
	for r.Boots = 1; ; r.Boots++ {
		err = g.boot(ctx, k, initrd, r)
		// Qemu without hardware help hangs now and then before it has begun.
		if !errors.Is(err, ErrBoot) || r.Boots == 2 || ctx.Err() != nil {
			break
		}
	}
	return r, errors.Join(err, r.read())
}

// read takes up the files that init leaves.
func (r *Result) read() error {
	for name, to := range map[string]*[]byte{"stdout": &r.Stdout, "stderr": &r.Stderr, "dmesg": &r.Dmesg} {
		data, err := os.ReadFile(filepath.Join(r.Out, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		*to = data
	}
	return nil
}
