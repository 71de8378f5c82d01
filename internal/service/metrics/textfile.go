package metrics

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
)

// WriteFile writes a page in the text format into a file, for the textfile collector
// of node_exporter: the file is the one before or the new one, at no time a part of
// it. Its name must end in ".prom" there. Errors are *Error, and wrap those of the file
// system.
func (c *Collector) WriteFile(ctx context.Context, name string, sets ...Set) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return &Error{Op: "write", Err: err}
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := c.Write(ctx, w, Text, sets...); err != nil {
		return err
	}
	for _, step := range []func() error{
		w.Flush,
		func() error { return f.Chmod(0o644) }, // another user reads it
		f.Sync,
		f.Close,
		func() error { return os.Rename(f.Name(), name) },
	} {
		if err := step(); err != nil {
			return &Error{Op: "write", Err: err}
		}
	}
	return nil
}
