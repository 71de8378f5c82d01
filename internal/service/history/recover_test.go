package history

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHotJournal: a writer that was killed before the journal was a write-ahead log has
// left another one behind, which only a writer may use.
func TestHotJournal(t *testing.T) {
	path := filled(t)
	run(t, path, "PRAGMA journal_mode = DELETE")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(t.TempDir(), "x.db")
	pool := hot(t, path)
	for _, end := range []string{"", "-journal"} {
		data, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		if end == "" && string(data) == string(whole) {
			t.Fatal("nothing was written in the middle of the transaction")
		}
		if err := os.WriteFile(killed+end, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), killed, &Options{ReadOnly: true}); !wantsRecovery(err) {
		t.Errorf("for reading: %v", err)
	}
	db, err := Open(t.Context(), killed, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if list, err := db.Events(t.Context(), nil); err != nil || len(list) != 1000 {
		t.Errorf("%d events, %v", len(list), err)
	}
}
