package format

import (
	"errors"
	"os"
	"path/filepath"
	"sort"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/counterdump"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/guid2lid"
	"github.com/ibscope/ibscope/format/lftdump"
	"github.com/ibscope/ibscope/format/systopo"
)

// MaxFiles is the most files that are put together.
const MaxFiles = 4096

// Stored is what several files hold of one fabric.
type Stored struct {
	// Fabric is what all of them tell. Its problems name each line that another
	// file contradicts, with both places.
	Fabric *fabric.Fabric

	Counters []counterdump.Record // counterdump.Join finds their ports
	Tables   []lftdump.Table      // the fabric has them too: fabric.Node.LFT
	LIDs     []guid2lid.Entry     // the fabric has them too

	Files []File
}

// File is a file that was looked at.
type File struct {
	Name string
	Kind Kind // "" for a file in a directory that is none of them
}

// Merge reads several files of one fabric, each of any format and compressed or
// not. A directory stands for the files in it that are of a known format. The
// first file that tells something is believed; formats that have no node GUIDs come
// after the others.
//
// Errors are Errors, or those of the reader of a format. A file that is named must
// be of a known format; one of them must have a graph.
func Merge(paths ...string) (*Stored, error) {
	m := merger{set: facts.NewSet(), systems: systopo.NewSystems()}
	todo, err := m.list(paths)
	if err != nil {
		return nil, err
	}
	// Definitions of systems come before the topologies that use them.
	sort.SliceStable(todo, func(i, j int) bool {
		a, b := todo[i], todo[j]
		return a.rank() < b.rank()
	})
	for _, t := range todo {
		if err := m.add(t); err != nil {
			return nil, err
		}
	}
	m.out.Fabric, err = m.set.Build()
	if errors.Is(err, facts.ErrNothing) && len(paths) > 0 {
		return nil, &Error{Op: "read", File: paths[0], Err: ErrNoGraph}
	}
	if err != nil {
		return nil, err
	}
	return &m.out, nil
}

// item is a file to read.
type item struct {
	path string
	form *form
}

func (t item) rank() int {
	if t.form.kind == Systems {
		return 0
	}
	return 1
}

// list finds out what the files are.
func (m *merger) list(paths []string) ([]item, error) {
	var todo []item
	for _, path := range paths {
		names := []string{path}
		info, err := os.Stat(path)
		if err != nil {
			return nil, &Error{Op: "open", File: path, Err: plain(err)}
		}
		if info.IsDir() {
			if names, err = filesIn(path); err != nil {
				return nil, err
			}
		}
		for _, name := range names {
			form, err := recogniseFile(name)
			if errors.Is(err, ErrUnknown) && info.IsDir() {
				m.out.Files = append(m.out.Files, File{Name: name})
				continue
			}
			if err != nil {
				return nil, err
			}
			if len(todo) == MaxFiles {
				return nil, &Error{Op: "read", File: path, Err: ErrTooMany}
			}
			m.out.Files = append(m.out.Files, File{name, form.kind})
			todo = append(todo, item{name, form})
		}
	}
	return todo, nil
}

// filesIn lists the regular files of a directory, and links to such, by name.
func filesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, &Error{Op: "open", File: dir, Err: plain(err)}
	}
	var names []string
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	return names, nil
}

func recogniseFile(path string) (*form, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{Op: "open", File: path, Err: plain(err)}
	}
	defer f.Close()
	_, form, err := open(f, path, true)
	return form, err
}

func (m *merger) add(t item) error {
	f, err := os.Open(t.path)
	if err != nil {
		return &Error{Op: "open", File: t.path, Err: plain(err)}
	}
	defer f.Close()
	s, form, err := open(f, t.path, true)
	if err != nil {
		return err
	}
	return form.add(s, m)
}
