package history

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"hash"
	"io"

	"github.com/ibscope/ibscope/internal/service/history/lines"
	"github.com/ibscope/ibscope/watch"
)

// maxChain is how many differences may follow a whole snapshot.
const maxChain = 64

// chain is what the writer knows of the last snapshot of a fabric.
type chain struct {
	id      int64
	outline *lines.Outline
	length  int   // differences since the whole one
	bytes   int64 // of these
	whole   int64 // bytes of the whole one
}

// storeFabric stores a fabric, or that it is still as it was. It gives the chain as it is
// once the transaction is committed.
func (w *writer) storeFabric(ctx context.Context, tx *sql.Tx, of *fabricRecord, s *watch.State) (*chain, error) {
	was, err := w.lastChain(ctx, tx, of)
	if err != nil {
		return nil, err
	}
	if was != nil && of.model == s.Fabric {
		return was, touch(ctx, tx, was, s)
	}
	now, err := lines.OutlineOf(s.Fabric)
	if err != nil {
		return nil, err
	}
	if was != nil && was.outline.IsSame(now) {
		return was, touch(ctx, tx, was, s)
	}
	if was != nil && was.length < maxChain && was.bytes < was.whole {
		e := newEncoded()
		script := lines.NewScripter(was.outline)
		if err := lines.Each(s.Fabric, func(line []byte) { e.count(line); script.Add(line) }); err != nil {
			return nil, err
		}
		body, err := e.finish(script.Finish())
		if err != nil {
			return nil, err
		}
		if int64(len(body)) < was.whole/2 {
			next := &chain{outline: now, length: was.length + 1, bytes: was.bytes + int64(len(body)), whole: was.whole}
			next.id, err = insertSnapshot(ctx, tx, of.id, s, was.id, e, body)
			return next, err
		}
	}
	e := newEncoded()
	if err := lines.Each(s.Fabric, func(line []byte) { e.count(line); e.write(line); e.write([]byte{'\n'}) }); err != nil {
		return nil, err
	}
	body, err := e.finish(nil)
	if err != nil {
		return nil, err
	}
	next := &chain{outline: now, whole: int64(len(body))}
	next.id, err = insertSnapshot(ctx, tx, of.id, s, nil, e, body)
	return next, err
}

// touch stores that a fabric is as it was.
func touch(ctx context.Context, tx *sql.Tx, c *chain, s *watch.State) error {
	_, err := tx.ExecContext(ctx, "UPDATE snapshots SET until = max(until, ?) WHERE id = ?", s.At.UnixNano(), c.id)
	return err
}

func insertSnapshot(ctx context.Context, tx *sql.Tx, fabricID int64, s *watch.State, base any, e *encoded, body []byte) (int64, error) {
	links := 0
	for range s.Fabric.Links() {
		links++
	}
	result, err := tx.ExecContext(ctx, "INSERT INTO snapshots (fabric, first, until, base, nodes, links, problems, size, hash, stored) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		fabricID, s.At.UnixNano(), s.At.UnixNano(), base, s.Fabric.NumNodes(), links, len(s.Fabric.Problems()), e.size, e.hash.Sum(nil), len(body))
	if err != nil {
		return 0, err
	}
	id, err := result.LastInsertId()
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO bodies (snapshot, body) VALUES (?, ?)", id, body)
	return id, err
}

// lastChain is the chain of a fabric, after a restart from the database. What cannot be
// read there is begun anew.
func (w *writer) lastChain(ctx context.Context, tx *sql.Tx, of *fabricRecord) (*chain, error) {
	if of.chain != nil {
		return of.chain, nil
	}
	s, err := scanSnapshot(tx.QueryRowContext(ctx, "SELECT "+snapshotColumns+" WHERE s.fabric = ? ORDER BY s.id DESC LIMIT 1", of.id))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := snapshotLines(ctx, tx, &s)
	if errors.Is(err, ErrCorrupt) || errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c := &chain{id: s.ID, outline: &lines.Outline{}}
	for _, line := range text {
		c.outline.Add(line)
	}
	for s.base != 0 {
		c.length, c.bytes = c.length+1, c.bytes+s.Bytes
		if s, err = scanSnapshot(tx.QueryRowContext(ctx, "SELECT "+snapshotColumns+" WHERE s.id = ?", s.base)); err != nil {
			return nil, err
		}
	}
	c.whole = s.Bytes
	return c, nil
}

// encoded is what a snapshot becomes: a compressed body, and the size and hash of its
// lines.
type encoded struct {
	size int64
	hash hash.Hash
	body bytes.Buffer
	z    *flate.Writer
}

func newEncoded() *encoded {
	e := &encoded{hash: sha256.New()}
	e.z, _ = flate.NewWriter(&e.body, flate.DefaultCompression) // the level is one that there is
	return e
}

func (e *encoded) count(line []byte) {
	e.size += int64(len(line)) + 1
	e.hash.Write(line)
	e.hash.Write([]byte{'\n'})
}

func (e *encoded) write(b []byte) { _, _ = e.z.Write(b) } // into memory

func (e *encoded) finish(rest []byte) ([]byte, error) {
	e.write(rest)
	err := e.z.Close()
	return e.body.Bytes(), err
}

// hashOf is the size and the hash of lines.
func hashOf(text [][]byte) (size int64, sum []byte) {
	h := sha256.New()
	for _, line := range text {
		h.Write(line)
		h.Write([]byte{'\n'})
		size += int64(len(line)) + 1
	}
	return size, h.Sum(nil)
}

// maxText bounds what a body may become.
const maxText = 4 << 30

func inflate(body []byte) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(body)), maxText))
	if err == nil && len(text) == maxText {
		err = errors.New("too large")
	}
	return text, err
}
