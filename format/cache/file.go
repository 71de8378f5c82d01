package cache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"

	"github.com/ibscope/ibscope/fabric"
)

// ReadFile is Read on a file.
func ReadFile(path string) (*fabric.Fabric, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &Error{Op: "read", File: path, Offset: -1, Err: cause(err)}
	}
	defer file.Close()
	return Read(file, path)
}

// WriteFile is Write to a file. As with the C tools a file or symbolic link
// that is there is replaced and the new file has mode 0644 less the umask; but
// a reader sees the old file or the whole new one, and something that is no
// plain file, such as a device, is left alone (ErrNotAPlainFile).
func WriteFile(path string, f *fabric.Fabric) error {
	return replaceFile(path, func(w io.Writer) error { return Write(w, f) })
}

// replaceFile puts a new file in the place of an old one.
func replaceFile(path string, write func(io.Writer) error) error {
	if fi, err := os.Lstat(path); err == nil && fi.Mode().Type()&^fs.ModeSymlink != 0 {
		return &Error{Op: "write", File: path, Offset: -1, Err: ErrNotAPlainFile}
	}
	temporary := fmt.Sprintf("%s.%016x", path, rand.Uint64())
	err := writeNew(temporary, write)
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err == nil {
		return nil
	}
	os.Remove(temporary)
	if e := (*Error)(nil); errors.As(err, &e) {
		e.File = path
		return e
	}
	return &Error{Op: "write", File: path, Offset: -1, Err: cause(err)}
}

func writeNew(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// cause is err without the name of the file, which the Error tells already.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
