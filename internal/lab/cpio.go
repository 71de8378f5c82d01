package lab

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// An archive is an initial file system in the cpio format that the kernel
// unpacks ("newc", Documentation/driver-api/early-userspace/buffer-format.rst).
type archive struct {
	buf   bytes.Buffer
	there map[string]bool // names that have been written, without the first slash
}

func newArchive() *archive { return &archive{there: map[string]bool{".": true}} }

// Types of files in the mode of an entry.
const (
	modeDir  = 0o040000
	modeFile = 0o100000
	modeLink = 0o120000
)

// has reports whether a name is in the archive already.
func (a *archive) has(name string) bool { return a.there[clean(name)] }

func clean(name string) string { return strings.TrimPrefix(path.Clean("/"+name), "/") }

// dir adds a directory and those above it; one that is there stays.
func (a *archive) dir(name string) {
	name = clean(name)
	if name == "" || a.there[name] {
		return
	}
	a.dir(path.Dir(name))
	a.entry(name, modeDir|0o755, nil)
}

// file adds a regular file; a later one of the same name replaces it.
func (a *archive) file(name string, data []byte, perm fs.FileMode) {
	a.dir(path.Dir(clean(name)))
	a.entry(clean(name), modeFile|uint32(perm.Perm()), data)
}

// link adds a symbolic link.
func (a *archive) link(name, target string) {
	a.dir(path.Dir(clean(name)))
	a.entry(clean(name), modeLink|0o777, []byte(target))
}

// copy adds a file of this machine, or a directory with all that is below it.
func (a *archive) copy(name, from string) error {
	return filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		fi, err := os.Stat(p) // links are followed
		if err != nil {
			return err
		}
		to := path.Join(name, filepath.ToSlash(rel))
		if fi.IsDir() {
			a.dir(to)
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		a.file(to, data, fi.Mode())
		return nil
	})
}

func (a *archive) entry(name string, mode uint32, data []byte) {
	a.there[name] = true
	fmt.Fprintf(&a.buf, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		len(a.there), mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name)+1, 0)
	a.buf.WriteString(name)
	a.buf.WriteByte(0)
	a.pad()
	a.buf.Write(data)
	a.pad()
}

func (a *archive) pad() {
	for a.buf.Len()%4 != 0 {
		a.buf.WriteByte(0)
	}
}

// bytes ends the archive.
func (a *archive) bytes() []byte {
	a.entry("TRAILER!!!", 0, nil)
	return a.buf.Bytes()
}
