package service

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/history"
)

// TestNoHistory: without a history that can be used the service goes on. A damaged one is
// put aside, one of a newer version stays; who asks is told, and no ID of an event is
// given again.
func TestNoHistory(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil  func(t *testing.T, path string)
		failed string // in what is told; "" for nothing
	}{
		"damaged": {func(t *testing.T, path string) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			clear(b[4096:])
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}, ""},
		"newer": {func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.ExecContext(t.Context(), "PRAGMA user_version = 99"); err != nil {
				t.Fatal(err)
			}
		}, "run the newer ibscope"},
		"in the way": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(path, history.FileName), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "is a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, history.FileName)
			db, err := history.Open(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			tt.spoil(t, path)

			w := newWorld(t)
			defer w.close()
			c := complete(t, "a=file:ring?switches=4")
			c.State = dir
			if err := w.make(c); err != nil {
				t.Fatal(err)
			}
			defer w.service.Close()
			status := read[api.Fabrics](w, "/fabrics").History
			if status == nil || status.Failing != (tt.failed != "") || !strings.Contains(status.Error, tt.failed) {
				t.Errorf("%+v", status)
			}
			if failing := strings.Contains(w.ask("/metrics").Body.String(), "\nibscope_history_failing 1\n"); failing != (tt.failed != "") {
				t.Errorf("metrics say that it fails: %v", failing)
			}
			if tt.failed != "" && !strings.Contains(w.log.String(), tt.failed) {
				t.Errorf("the log has %s", &w.log)
			}
			if last := w.service.Log().Last(); last < uint64(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()) {
				t.Errorf("events begin after %d", last)
			}
		})
	}
}

// TestOneHistory: two services do not share one.
func TestOneHistory(t *testing.T) {
	c := complete(t, "a=file:ring?switches=4")
	c.State = t.TempDir()
	for i, w := range []*world{newWorld(t), newWorld(t)} {
		err := w.make(c)
		if (err == nil) != (i == 0) {
			t.Errorf("service %d: %v", i, err)
		}
		if err == nil {
			defer w.service.Close()
		}
	}
}
