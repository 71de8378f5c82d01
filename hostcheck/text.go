package hostcheck

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma"
)

// readText reads a small file; a FIFO that somebody left in a copied tree does
// not hold it up.
func readText(name string) (string, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	return string(b), err
}

// evidence is an error as evidence: what was tried, and the errno by its name.
func evidence(what string, err error) string {
	text := fmt.Sprintf("%s: %v", what, err)
	var path *fs.PathError
	if errors.As(err, &path) && strings.HasPrefix(err.Error(), path.Op+" ") {
		text = fmt.Sprintf("%s: %v", what, path.Err)
	}
	var errno unix.Errno
	if errors.As(err, &errno) && unix.ErrnoName(errno) != "" {
		text += " (" + unix.ErrnoName(errno) + ")"
	}
	return text
}

// exists says of a path whether it is there, as evidence.
func exists(path string) (bool, string) {
	if _, err := os.Stat(path); err != nil {
		return false, evidence(path, err)
	}
	return true, path + " is there"
}

// count is "1 port", "2 ports".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// sortNatural sorts names as rdma does, mlx5_2 before mlx5_10.
func sortNatural(names []string) {
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(rdma.ByName(&rdma.Device{Name: a}, &rdma.Device{Name: b}), strings.Compare(a, b))
	})
}

// deviceNames are the names of devices, comma between them.
func deviceNames(devices []*rdma.Device) string {
	names := make([]string, len(devices))
	for i, d := range devices {
		names[i] = d.Name
	}
	return strings.Join(names, ", ")
}

// portName is "mlx5_0 port 1".
func portName(p *rdma.Port) string { return fmt.Sprintf("%s port %d", p.Device, p.Num) }

// bounded keeps the first of many lines.
func bounded(lines []string) []string {
	const most = 20
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most:most], fmt.Sprintf("… and %d more", len(lines)-most))
}
