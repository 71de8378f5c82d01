// Package live is what shell completion offers beside options: the devices of
// this machine, and the nodes of the last sweep of a fabric, which commands
// leave in the user's cache directory.
package live

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/escape"
)

// maxNodes bounds how many nodes are kept of a sweep: completion of more helps
// nobody, and is read anew at every keystroke.
const maxNodes = 20_000

// Remember keeps the names of the nodes of a sweep of that fabric, in place of
// those of the sweep before. Without a cache directory, or where it cannot be
// written, nothing is kept, which is no error.
func Remember(e *env.Env, uri string, f *fabric.Fabric) {
	name := fileOf(e, uri)
	if name == "" || f == nil || f.NumNodes() < 2 {
		return
	}
	if err := os.MkdirAll(path.Dir(name), 0o700); err != nil {
		return
	}
	output.Write(name, nil, func(w io.Writer) error { return write(w, f) }) //nolint:errcheck // see above
}

// fileOf is the file for a fabric, "" for a source that has no sweeps, or where
// there is no place for it.
func fileOf(e *env.Env, uri string) string {
	if e.Cache == "" || strings.HasPrefix(uri, "file:") {
		return ""
	}
	sum := sha256.Sum256([]byte(uri))
	return path.Join(e.Cache, "nodes-"+hex.EncodeToString(sum[:8]))
}

// write writes a line for each node: LID, GUID of the port, description.
func write(w io.Writer, f *fabric.Fabric) error {
	left := maxNodes
	var line []byte
	for n := range f.Nodes() {
		for p := range n.Ports() {
			if p.LID() == 0 || p.GUID() == 0 || n.Type() == ib.NodeSwitch && p.Num() != 0 {
				continue
			}
			if left--; left < 0 {
				return nil
			}
			line = append(strconv.AppendUint(line[:0], uint64(p.LID()), 10), ' ')
			line = append(append(line, p.GUID().String()...), ' ')
			line = append(append(line, escape.Text(n.Description())...), '\n')
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// node is one line of the file.
type node struct{ lid, guid, description string }

// recall reads the nodes of the last sweep of a fabric; none if there was none.
func recall(e *env.Env, uri string) []node {
	name := fileOf(e, uri)
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var nodes []node
	lines := bufio.NewScanner(f)
	for lines.Scan() && len(nodes) < maxNodes {
		part := strings.SplitN(lines.Text(), " ", 3)
		if len(part) == 3 {
			nodes = append(nodes, node{part[0], part[1], escape.Text(part[2])})
		}
	}
	return nodes
}
