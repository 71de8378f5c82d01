// Package names brings node name maps to the commands.
package names

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/format/nodenames"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// Load reads a node name map; lines that it cannot use are complained of. No
// path gives no map, which knows no names; so does an error.
func Load(e *env.Env, path string) (ibnetdiscover.Namer, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, problems, err := nodenames.Read(f, path)
	if err != nil {
		return nil, err
	}
	sweep.Complain(e, problems)
	return m, nil
}

// Reason is the part of an error that the C tools show: the text of the errno.
func Reason(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		switch {
		case errors.Is(errno, fs.ErrNotExist):
			return "No such file or directory"
		case errors.Is(errno, fs.ErrPermission):
			return "Permission denied"
		}
		return errno.Error()
	}
	return err.Error()
}

// Of is the map as a function of nodes, for writers that tell a name from a
// description; nil for no map.
func Of(m ibnetdiscover.Namer) func(*fabric.Node) (string, bool) {
	if m == nil {
		return nil
	}
	return func(n *fabric.Node) (string, bool) {
		name := m.Name(n.GUID(), "")
		return name, name != ""
	}
}
