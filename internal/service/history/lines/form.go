// Package lines is a fabric as lines of text, and the differences of two such texts: how
// history stores what a fabric was like.
package lines

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
)

// The lines are the document of package snapshot, with a line for each node
// and one for each port, and with nodes named by their GUIDs where the document has
// positions. So a node that goes or comes changes its own lines and those of its
// neighbours, and no others.
//
// What marks places in a line, as {"port":, is in no text of the fabric: quotes in
// strings have a backslash before them.

var (
	nodeMark  = []byte(`{"guid":"`)
	portMark  = []byte(`{"port":`)
	peerMark  = []byte(`"peer":[`)
	startMark = []byte(`"start":[`)
	nodesMark = []byte(`"nodes":[`)
)

// ErrForm is text that is not a fabric as stored.
var ErrForm = errors.New("not the lines of a fabric")

// Each calls f with the lines of a fabric, without their ends. A line is
// valid until f returns.
func Each(model *fabric.Fabric, f func(line []byte)) error {
	w := &former{line: f}
	count := map[string]int{}
	for n := range model.Nodes() {
		w.ids = append(w.ids, nthName(count, n.GUID().String()))
	}
	if err := snapshot.WriteJSON(w, &snapshot.Snapshot{Fabric: model}); err != nil {
		return err
	}
	return w.err
}

// nthName names a node: its GUID, and of several with one GUID which it is.
func nthName(count map[string]int, guid string) string {
	count[guid]++
	if n := count[guid]; n > 1 {
		return guid + "#" + strconv.Itoa(n)
	}
	return guid
}

// former turns the document into lines while it is written.
type former struct {
	ids  []string // of nodes, by position
	rest []byte   // of a line whose end has not come yet
	line func([]byte)
	buf  []byte
	err  error
}

func (w *former) Write(p []byte) (int, error) {
	n := len(p)
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			w.rest = append(w.rest, p...)
			return n, w.err
		}
		w.rest = append(w.rest, p[:i]...)
		w.whole(w.rest)
		w.rest, p = w.rest[:0], p[i+1:]
	}
}

// whole takes a line of the document.
func (w *former) whole(line []byte) {
	if !bytes.HasPrefix(line, nodeMark) {
		w.piece(line, startMark)
		return
	}
	for len(line) > 0 {
		end := len(line)
		if i := bytes.Index(line[1:], portMark); i >= 0 {
			end = i + 1
		}
		w.piece(line[:end], peerMark)
		line = line[end:]
	}
}

// piece gives a line with the node named that stands behind a mark.
func (w *former) piece(line, mark []byte) {
	w.buf = append(w.buf[:0], line...)
	if i := bytes.Index(line, mark); i >= 0 {
		digits := line[i+len(mark):]
		digits = digits[:max(0, bytes.IndexByte(digits, ','))]
		at, err := strconv.Atoi(string(digits))
		if err != nil || at >= len(w.ids) {
			w.err = ErrForm
			return
		}
		w.buf = append(w.buf[:i+len(mark)], '"')
		w.buf = append(w.buf, w.ids[at]...)
		w.buf = append(w.buf, '"')
		w.buf = append(w.buf, line[i+len(mark)+len(digits):]...)
	}
	w.line(w.buf)
}

// Fabric makes a fabric of lines. The error is ErrForm, or one of package snapshot.
func Fabric(lines [][]byte) (*fabric.Fabric, error) {
	at := map[string]int{}
	count := map[string]int{}
	for _, line := range lines {
		if bytes.HasPrefix(line, nodeMark) {
			guid, _, _ := bytes.Cut(line[len(nodeMark):], []byte{'"'})
			at[nthName(count, string(guid))] = len(at)
		}
	}
	var text []byte
	for _, line := range lines {
		mark := peerMark
		i := bytes.Index(line, mark)
		if i < 0 {
			mark = startMark
			i = bytes.Index(line, mark)
		}
		if i < 0 {
			text = append(append(text, line...), '\n')
			continue
		}
		id, after, found := bytes.Cut(line[i+len(mark):], []byte(`",`))
		n, known := at[string(bytes.TrimPrefix(id, []byte{'"'}))]
		if !found || !known {
			return nil, fmt.Errorf("%w: a link to %.40q", ErrForm, id)
		}
		text = append(text, line[:i+len(mark)]...)
		text = strconv.AppendInt(text, int64(n), 10)
		text = append(append(append(text, ','), after...), '\n')
	}
	s, err := snapshot.Read(bytes.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	return s.Fabric, nil
}
