package testenv

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files in testdata instead of comparing with them")

// Golden compares got with testdata/name byte for byte and reports the
// differences as a test error. With the flag -update it writes the file.
func Golden(t testing.TB, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s does not exist; make it with: go test -run '^%s$' . -update", path, t.Name())
	}
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s differs (-want +got; if got is right, run with -update):\n%s", path, diff(want, got))
	}
}

// diff shows text line by line and anything else as bytes.
func diff(want, got []byte) string {
	if utf8.Valid(want) && utf8.Valid(got) {
		return cmp.Diff(string(want), string(got))
	}
	return cmp.Diff(want, got)
}
