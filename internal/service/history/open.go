package history

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ibscope/ibscope/watch"
)

// Options tune a DB. Nil or the zero value is what a service wants.
type Options struct {
	// ReadOnly opens for reading what another process writes. Run and Record do nothing
	// then, and the file has to be there.
	ReadOnly bool

	// MoveAside renames a file that is damaged or foreign to a name with the time in it,
	// and begins a new one. One of a newer version stays, and is ErrNewer.
	MoveAside bool

	Keep     Keep
	MaxBytes int64 // of the file; 0 for DefaultMaxBytes. At least 1 MiB

	// Now is the clock for what is too old; nil for time.Now.
	Now func() time.Time

	unsafe bool          // of tests that need not survive a power failure
	retry  time.Duration // 0 for firstRetry
}

// DefaultMaxBytes bounds the file where Options do not.
const DefaultMaxBytes = 4 << 30

// FileName is the name of the database in a directory.
const FileName = "history.db"

// DB is a database of history. It is safe for concurrent use.
type DB struct {
	path  string
	o     Options
	read  *sql.DB
	write *sql.DB // nil when it is only read; one connection, of the writer
	lock  *os.File

	mail    chan struct{} // there is something in the mailbox
	running sync.Mutex    // held by Run

	mu      sync.Mutex
	mailbox map[string][]*watch.State // by fabric, the oldest first
	status  Status
}

// Open opens a database, and makes one that is not there. The path is that of the file,
// or of a directory that has it as FileName. Errors are *Error with ErrCorrupt, ErrNewer,
// ErrForeign, ErrInUse or what the file system gave; without a DB nothing is left open.
func Open(ctx context.Context, path string, o *Options) (*DB, error) {
	db := &DB{path: filePath(path), mail: make(chan struct{}, 1), mailbox: map[string][]*watch.State{}}
	if o != nil {
		db.o = *o
	}
	if db.o.Now == nil {
		db.o.Now = time.Now
	}
	if db.o.MaxBytes == 0 {
		db.o.MaxBytes = DefaultMaxBytes
	}
	db.o.MaxBytes = max(db.o.MaxBytes, 1<<20)
	db.o.Keep.complete()
	db.status = Status{Path: db.path, MaxBytes: db.o.MaxBytes}
	err := db.open(ctx)
	if err != nil && db.o.MoveAside && !db.o.ReadOnly && isUnusable(err) {
		db.read, db.write = nil, nil
		if err = db.moveAside(); err == nil {
			err = db.open(ctx)
		}
	}
	if err != nil {
		db.Close()
		return nil, db.errorf("open", err, "")
	}
	db.measure()
	return db, nil
}

// filePath is the file that a path means.
func filePath(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() || os.IsPathSeparator(path[len(path)-1]) {
		path = filepath.Join(path, FileName)
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func (db *DB) open(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			db.Close()
		}
	}()
	if db.o.ReadOnly {
		if _, err := os.Stat(db.path); err != nil {
			return err // SQLite has no better words than "unable to open"
		}
	} else if err := db.takeLock(ctx); err != nil {
		return err
	}
	if err := checkHeader(db.path); err != nil {
		return err
	}
	if db.read, err = db.connect("ro", maxReaders); err != nil {
		return err
	}
	if info, err := os.Stat(db.path); err == nil && info.Size() > 0 {
		if err := db.look(ctx); err != nil {
			return err // before anything is written
		}
	}
	if db.o.ReadOnly {
		return nil
	}
	if err := makeFile(db.path); err != nil {
		return err
	}
	if err := db.connectWriter(ctx); err != nil {
		return err
	}
	return migrate(ctx, db.write, migrations)
}

// look finds out whether a file is one of ours, and whole.
func (db *DB) look(ctx context.Context) error {
	err := db.identify(ctx)
	if db.o.ReadOnly && wantsFiles(err) {
		if _, missing := os.Stat(db.path + "-wal"); missing != nil {
			// Nobody writes it: it is read as if it were on a disc.
			if err := db.read.Close(); err != nil {
				return err
			}
			if db.read, err = db.connect("immutable", maxReaders); err == nil {
				err = db.identify(ctx)
			}
		}
	}
	if wantsRecovery(err) && !db.o.ReadOnly {
		// The last writer was killed in the middle: who may write brings the file into order.
		if err := db.connectWriter(ctx); err != nil {
			return err
		}
		err = db.identify(ctx)
	}
	if err != nil {
		return err
	}
	return db.check(ctx)
}

func (db *DB) connectWriter(ctx context.Context) (err error) {
	if db.write == nil {
		db.write, err = db.connect("rwc", 1)
	}
	if err == nil {
		err = db.write.PingContext(ctx)
	}
	return err
}

// maxReaders is how many queries run at the same time; others wait.
const maxReaders = 4

// connect makes a pool of connections.
//
// The journal is a write-ahead log, so that readers never wait for the writer. It is
// flushed to the disk at each commit (synchronous FULL): there are a few commits in a
// minute, and an event that others have been told must not be forgotten, for its ID
// would be given again. Auto-vacuum is incremental, so that the file can shrink in small
// steps.
func (db *DB) connect(mode string, most int) (*sql.DB, error) {
	q := url.Values{"mode": {mode}, "_busy_timeout": {"10000"}}
	if mode == "immutable" {
		q["mode"], q["immutable"] = []string{"ro"}, []string{"1"}
	}
	if mode != "rwc" {
		q["_pragma"] = []string{"cache_size(-4000)", "query_only(1)"}
	} else {
		q["_txlock"] = []string{"immediate"}
		q["_auto_vacuum"] = []string{"incremental"}
		q["_journal_mode"] = []string{"WAL"}
		q["_synchronous"] = []string{"FULL"}
		if db.o.unsafe {
			q["_synchronous"] = []string{"OFF"}
		}
		q["_pragma"] = []string{"cache_size(-8000)", "journal_size_limit(16777216)", "foreign_keys(1)"}
	}
	pool, err := sql.Open("sqlite", "file:"+(&url.URL{Path: db.path}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(most)
	pool.SetMaxIdleConns(most)
	return pool, nil
}

// Close closes the database, after Run has returned. What Record was given and Run has
// not written is lost.
func (db *DB) Close() error {
	var err error
	for _, pool := range []*sql.DB{db.read, db.write} {
		if pool != nil {
			if closed := pool.Close(); err == nil {
				err = closed
			}
		}
	}
	db.unlock()
	return db.errorf("close", err, "")
}
