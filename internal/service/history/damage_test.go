package history

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/watch"
)

// filled makes a database with something in it, and gives its path.
func filled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	log := event.NewLog(1000, 1)
	for range 1000 {
		log.Add(event.Event{Kind: event.LinkUp, Time: begin, At: event.End{GUID: 7, Name: strings.Repeat("x", 60)}})
	}
	f := newLab(t, "star?hosts=3").sweep()
	store(t, newWriter(db), log, &watch.State{Name: "a", Fabric: f, At: begin})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// alter changes the bytes of a file.
func alter(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs SQL on a file.
func run(t *testing.T, path, script string) {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.ExecContext(t.Context(), script); err != nil {
		t.Fatal(err)
	}
}

// TestUnusable: what cannot be used is not touched, unless it is to be moved aside.
func TestUnusable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		spoil func(t *testing.T, path string)
		want  error
	}{
		"half of it": {func(t *testing.T, path string) {
			alter(t, path, func(b []byte) []byte { return b[:len(b)/2] })
		}, ErrCorrupt},
		"the first bytes": {func(t *testing.T, path string) {
			alter(t, path, func(b []byte) []byte { return b[:50] })
		}, ErrCorrupt},
		"a page of zeros": {func(t *testing.T, path string) {
			alter(t, path, func(b []byte) []byte { clear(b[3*4096 : 4*4096]); return b })
		}, ErrCorrupt},
		"noise": {func(t *testing.T, path string) {
			alter(t, path, func(b []byte) []byte { copy(b[100:], bytes.Repeat([]byte("noise"), 2000)); return b })
		}, ErrCorrupt},
		"text": {func(t *testing.T, path string) {
			alter(t, path, func([]byte) []byte { return []byte("# not a database, but somebody's notes\n") })
		}, ErrForeign},
		"somebody's database": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			run(t, path, "CREATE TABLE events (id INTEGER PRIMARY KEY)")
		}, ErrForeign},
		"another program's": {func(t *testing.T, path string) { run(t, path, "PRAGMA application_id = 5") }, ErrForeign},
		"newer":             {func(t *testing.T, path string) { run(t, path, "PRAGMA user_version = 99") }, ErrNewer},
	} {
		t.Run(name, func(t *testing.T) {
			path := filled(t)
			tt.spoil(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []*Options{nil, {ReadOnly: true}, {ReadOnly: true, MoveAside: true}} {
				var e *Error
				if _, err := Open(t.Context(), path, o); !errors.Is(err, tt.want) || !errors.As(err, &e) || e.Path != path {
					t.Fatalf("%+v: %v", o, err)
				}
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file was changed, %v", err)
			}
			db, err := Open(t.Context(), path, &Options{MoveAside: true})
			if tt.want == ErrNewer { // it is whole: nothing is put aside
				if after, read := os.ReadFile(path); !errors.Is(err, ErrNewer) || read != nil || !bytes.Equal(before, after) {
					t.Errorf("%v; the file was changed, %v", err, read)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			moved := db.Status().MovedTo
			if after, err := os.ReadFile(moved); err != nil || !bytes.Equal(before, after) {
				t.Errorf("%q is not what was there, %v", moved, err)
			}
			if last, err := db.Last(t.Context()); err != nil || last.Event != 0 || len(last.Fabrics) != 0 {
				t.Errorf("the new one has %+v, %v", last, err)
			}
		})
	}
}

// TestDamageWhileRunning: a file that is spoiled under a writer is told, and nothing else
// happens.
func TestDamageWhileRunning(t *testing.T) {
	path := filled(t)
	db, err := Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	alter(t, path, func(b []byte) []byte { clear(b[4096:]); return b })
	w := newWriter(db)
	w.event = 1000
	log := event.NewLog(10, 1001)
	log.Add(event.Event{Kind: event.LinkUp, Time: begin})
	if err := w.work(t.Context(), log); !errors.Is(err, ErrCorrupt) || !errors.Is(db.Status().Err, ErrCorrupt) || db.Status().Failing.IsZero() {
		t.Errorf("%v, %+v", err, db.Status())
	}
}

// TestChangedBody: a snapshot that is not what was stored is not given.
func TestChangedBody(t *testing.T) {
	path := filled(t)
	run(t, path, "UPDATE snapshots SET hash = zeroblob(32)")
	db, err := Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, _, err := db.FabricAt(t.Context(), "", time.Time{}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %v", err)
	}
	last, err := db.Last(t.Context())
	if !errors.Is(err, ErrCorrupt) || last.Event != 1000 {
		t.Errorf("got %+v, %v", last, err)
	}
	// The writer begins anew.
	w := newWriter(db)
	w.event = 1000
	f := newLab(t, "star?hosts=3").sweep()
	store(t, w, event.NewLog(10, 1001), &watch.State{Name: "a", Fabric: f, At: begin.Add(time.Hour)})
	if got, s, err := db.FabricAt(t.Context(), "", time.Time{}); err != nil || !s.Whole || text(t, got) != text(t, f) {
		t.Errorf("after that: %+v, %v", s, err)
	}
}

func TestMigrate(t *testing.T) {
	path := filled(t)
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	steps := append(migrations[:len(migrations):len(migrations)], "ALTER TABLE fabrics ADD COLUMN extra TEXT; CREATE TABLE more (id INTEGER PRIMARY KEY)", "CREATE TABLE more (id TEXT)")
	if err := migrate(t.Context(), pool, steps); err == nil || !strings.Contains(err.Error(), "version 3") {
		t.Errorf("a step that cannot be: %v", err)
	}
	var version, events int
	if err := pool.QueryRowContext(t.Context(), "SELECT count(*) FROM events").Scan(&events); err != nil || events != 1000 {
		t.Errorf("%d events, %v", events, err)
	}
	if err := pool.QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&version); err != nil || version != len(migrations)+1 {
		t.Errorf("version %d, %v", version, err)
	}
	if _, err := pool.ExecContext(t.Context(), "SELECT extra FROM fabrics"); err != nil {
		t.Error(err)
	}
}

// hot begins a transaction on a file, and writes of it what has no room in memory.
func hot(t *testing.T, path string) *sql.DB {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA cache_size = 5", "PRAGMA cache_spill = 1", "BEGIN IMMEDIATE", "UPDATE events SET kind = 'spoiled', body = body || body"} {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return pool
}
