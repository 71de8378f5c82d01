package lab

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"path/filepath"
)

// libraryDirs is where the loader looks without a cache file.
var libraryDirs = []string{
	"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib",
	"/usr/lib/x86_64-linux-gnu/ceph",
}

// libraries copies programs together with the shared libraries that they are
// linked with, to the same places.
type libraries struct {
	archive *archive
}

func newLibraries(a *archive) *libraries { return &libraries{a} }

// add copies a program or library and all that it needs. A script is copied as it is.
func (l *libraries) add(path string) error {
	if l.archive.has(path) {
		return nil
	}
	if err := l.archive.copy(path, path); err != nil {
		return err
	}
	f, err := elf.Open(path)
	if err != nil {
		var format *elf.FormatError
		if errors.As(err, &format) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil // not an ELF file
		}
		return err
	}
	defer f.Close()
	if p := interpreter(f); p != "" {
		if err := l.add(p); err != nil {
			return err
		}
	}
	names, err := f.ImportedLibraries()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, name := range names {
		lib, err := findLibrary(name)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := l.add(lib); err != nil {
			return err
		}
	}
	return nil
}

func findLibrary(name string) (string, error) {
	for _, dir := range libraryDirs {
		if p := filepath.Join(dir, name); exists(p) {
			return p, nil
		}
	}
	return "", fmt.Errorf("no library %s", name)
}

// interpreter is the dynamic loader that a program names, or "".
func interpreter(f *elf.File) string {
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP {
			continue
		}
		name, err := io.ReadAll(io.LimitReader(p.Open(), 256))
		if err == nil && len(name) > 1 {
			return string(name[:len(name)-1]) // ends in a zero byte
		}
	}
	return ""
}
