package history

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// applicationID is at byte 68 of the file, where file(1) and SQLite look for whose it is:
// "ibsH" (https://www.sqlite.org/fileformat2.html#application_id).
const applicationID = 0x69627348

// fileMagic begins each SQLite database.
var fileMagic = []byte("SQLite format 3\x00")

// checkHeader refuses a file that is not ours before SQLite changes it. One that is not
// there, or empty, will be made.
func checkHeader(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	var header [100]byte
	n, err := io.ReadFull(f, header[:])
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		return nil
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case n < len(header) && bytes.HasPrefix(header[:], fileMagic):
		return fmt.Errorf("%w: it has %d bytes", ErrCorrupt, n)
	case !bytes.HasPrefix(header[:], fileMagic):
		return fmt.Errorf("%w: it does not begin as one", ErrForeign)
	}
	// A file that was begun and not committed has no identity yet.
	if id := binary.BigEndian.Uint32(header[68:]); id != applicationID && id != 0 {
		return fmt.Errorf("%w: its application ID is 0x%08x", ErrForeign, id)
	}
	return nil
}

// makeFile makes a file that not everybody may read, as SQLite would: it holds names, and
// keys that a device has told. What SQLite puts beside it gets the same rights.
func makeFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return err
	}
	return f.Close()
}

// isUnusable reports whether an error is one that MoveAside is for. What a newer version
// has written is whole: whoever went back to this one may go forward again.
func isUnusable(err error) bool {
	err = cause(err)
	return errors.Is(err, ErrCorrupt) || errors.Is(err, ErrForeign)
}

// moveAside renames the file and what SQLite has beside it.
func (db *DB) moveAside() error {
	to := db.path + ".unusable-" + db.o.Now().UTC().Format("20060102T150405Z")
	for _, end := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(db.path+end, to+end); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	db.status.MovedTo = to
	return nil
}

// checkedBytes is up to what size all of a file is looked at when it is opened: that
// takes a second. Of larger ones damage is found when it is met.
const checkedBytes = 64 << 20

// identify refuses a database of something else, or of a version that this program does
// not know.
func (db *DB) identify(ctx context.Context) error {
	var version, id, tables int
	for query, to := range map[string]*int{
		"PRAGMA user_version": &version, "PRAGMA application_id": &id, "SELECT count(*) FROM sqlite_schema": &tables,
	} {
		if err := db.read.QueryRowContext(ctx, query).Scan(to); err != nil {
			return err
		}
	}
	switch {
	case id != applicationID && (id != 0 || tables > 0):
		return fmt.Errorf("%w: its application ID is 0x%08x", ErrForeign, id)
	case version > len(migrations):
		return fmt.Errorf("%w: version %d of the schema, and this one knows %d: run the newer ibscope, or move the file away to begin anew", ErrNewer, version, len(migrations))
	case version < len(migrations) && db.o.ReadOnly:
		return fmt.Errorf("version %d of the schema is old: let ibscope serve open it first", version)
	}
	return nil
}

// check looks for damage.
func (db *DB) check(ctx context.Context) error {
	info, err := os.Stat(db.path)
	if err != nil || info.Size() > checkedBytes {
		return err
	}
	var told string
	if err := db.read.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&told); err != nil {
		return err
	}
	if told != "ok" {
		return fmt.Errorf("%w: %.200s", ErrCorrupt, told)
	}
	return nil
}
