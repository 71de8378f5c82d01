package past

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/service/history/historytest"
)

func TestNodes(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	f := &Flags{DB: dir}
	for typed, want := range map[string][]string{
		"leaf":               {"leaf01\t0xfc6a1c0300000040", "leaf02\t0xfc6a1c03000000a0"},
		"0xfc6a1c030000004":  {"0xfc6a1c0300000040\tleaf01"},
		"nobody":             nil,
		"0x0000000000000000": nil,
	} {
		if d := cmp.Diff(want, f.nodes(t.Context(), typed)); d != "" {
			t.Errorf("%s (-want +got)\n%s", typed, d)
		}
	}
	if got := (&Flags{DB: dir + "/none"}).nodes(t.Context(), ""); got != nil {
		t.Errorf("without a history: %q", got)
	}
}

func TestFindNode(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	db, err := (&Flags{DB: dir}).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	f, _, err := db.FabricAt(t.Context(), "", historytest.End)
	if err != nil {
		t.Fatal(err)
	}
	book := names.In(f, nil)
	for text, want := range map[string]string{
		"leaf01": "0xfc6a1c0300000040", "MF0;leaf01:*": "0xfc6a1c0300000040", "db1*": "0xb83fd20300000018",
		"0xfc6a1c0300000040": "0xfc6a1c0300000040", "fc6a1c0300000040": "0xfc6a1c0300000040", "0x1": "0x0000000000000001",
	} {
		g, n, err := FindNode(f, book, text)
		if err != nil || g.String() != want || (n == nil) != (text == "0x1") {
			t.Errorf("%s is %s, %v", text, g, err)
		}
	}
	for _, text := range []string{"leaf0?", "leaf03", "", "ab"} {
		if g, _, err := FindNode(f, book, text); err == nil {
			t.Errorf("%q is %s", text, g)
		}
	}
}
