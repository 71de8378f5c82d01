package ibdiscover

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// wire is a link as one of its ends tells it.
type wire struct {
	local, remote         string // GUIDs: digits without leading zeros
	localPort, remotePort int
}

// Bounds on what is read.
const (
	maxLine  = 4096
	maxLines = 1 << 20
)

// eachLine calls use with the fields of each line of a file. A file that is not
// there has none; then found is false.
func eachLine(name string, use func(fields []string)) (found bool, err error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	n := 0
	for lines.Scan() {
		if n++; n > maxLines {
			return true, fmt.Errorf("%s: more than %d lines", name, maxLines)
		}
		use(strings.Split(strings.TrimRight(lines.Text(), "\r"), "|"))
	}
	if err := lines.Err(); err != nil {
		return true, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	return true, nil
}

// readPlaces reads where nodes are.
func readPlaces() (map[string]string, error) {
	places := map[string]string{}
	_, err := eachLine(mapFile, func(fields []string) {
		if len(fields) >= 3 {
			places[strings.TrimLeft(strings.TrimSpace(fields[0]), "0")] = strings.TrimSpace(fields[2])
		}
	})
	return places, err
}

// readWires reads the links of the last run.
func readWires() (wires map[wire]bool, found bool, err error) {
	wires = map[wire]bool{}
	found, err = eachLine(topoFile, func(fields []string) {
		if len(fields) < 4 {
			return
		}
		a, errA := strconv.Atoi(strings.TrimSpace(fields[0]))
		b, errB := strconv.Atoi(strings.TrimSpace(fields[2]))
		if errA == nil && errB == nil {
			wires[wire{strings.TrimSpace(fields[1]), strings.TrimSpace(fields[3]), a, b}] = true
		}
	})
	return wires, found, err
}

func (w wire) line() string {
	return fmt.Sprintf("%d|%s|%d|%s\n", w.localPort, w.local, w.remotePort, w.remote)
}
