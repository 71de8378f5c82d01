package historytest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/internal/service/history"
)

func TestMake(t *testing.T) {
	path := Make(t, t.TempDir(), Options{})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o007 != 0 || filepath.Base(path) != history.FileName {
		t.Errorf("%v, %v", info, err)
	}
	db, err := history.Open(t.Context(), filepath.Dir(path), &history.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := db.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Fabrics) != 1 || s.Fabrics[0].Snapshots != 4 || len(s.Events) != 3 || len(s.Fabrics[0].Rates) != 3 || !s.Fabrics[0].Until.Equal(End) {
		t.Errorf("%+v", s)
	}
	for after, changes := range map[time.Duration]int{0: 0, 2*time.Hour + time.Minute: 1, 3 * time.Hour: 2, 6 * time.Hour: 3} {
		f, _, err := db.FabricAt(t.Context(), "lab", Begin.Add(after))
		first, _, also := db.FabricAt(t.Context(), "lab", Begin)
		if err != nil || also != nil {
			t.Fatal(err, also)
		}
		if got := diff.Compare(first, f, nil); len(got) != changes {
			t.Errorf("after %v: %+v", after, got)
		}
	}
}
