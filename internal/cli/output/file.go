// Package output writes results to files so that a reader never sees half of one.
package output

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path"
)

// File is an output file that takes its final name in Commit only. Devices and
// pipes are written to directly.
type File struct {
	*bufio.Writer
	file   *os.File
	target string // final name; "" when file has it already
}

// Create opens the output file of that name, beside which a temporary one is
// made, so that what was there stays until Commit.
func Create(name string) (*File, error) {
	if fi, err := os.Stat(name); err == nil && !fi.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &File{Writer: bufio.NewWriter(f), file: f}, nil
	}
	name = linked(name) // replace the file, not the link to it
	f, err := os.CreateTemp(path.Dir(name), "."+path.Base(name)+".*")
	if err != nil {
		return nil, named(err, name)
	}
	return &File{Writer: bufio.NewWriter(f), file: f, target: name}, nil
}

// linked follows links from name to name. Those in the folders before it are for the
// kernel to follow.
func linked(name string) string {
	for range 40 { // as many as Linux does
		target, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !path.IsAbs(target) {
			target = path.Dir(name) + "/" + target // .. counts from where a folder is
		}
		name = target
	}
	return name
}

// Commit finishes the file and gives it its name.
func (f *File) Commit() error {
	if err := f.Flush(); err != nil {
		return named(err, f.target)
	}
	if f.target == "" {
		return f.file.Close()
	}
	if err := f.file.Chmod(mode(f.target)); err != nil {
		return err
	}
	if err := f.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.file.Name(), f.target); err != nil {
		return err
	}
	f.target = ""
	return nil
}

// Close drops the file if it was not committed.
func (f *File) Close() {
	f.file.Close() // an error says that Commit did it already
	if f.target != "" {
		os.Remove(f.file.Name())
	}
}

// named gives an error the name that the user knows, for that of the temporary
// file says nothing.
func named(err error, name string) error {
	var e *os.PathError
	if name != "" && errors.As(err, &e) {
		return &os.PathError{Op: e.Op, Path: name, Err: e.Err}
	}
	return err
}

// mode is the permission of the file that is replaced, or of a new one.
func mode(name string) os.FileMode {
	if fi, err := os.Stat(name); err == nil {
		return fi.Mode().Perm()
	}
	return 0o644
}

// Write calls write with the file of that name, or with stdout for "" and "-".
// An error leaves the file that was there before.
func Write(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "" || name == "-" {
		return write(stdout)
	}
	f, err := Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return named(err, f.target)
	}
	return f.Commit()
}
