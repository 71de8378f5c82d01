package ibnetdiscover

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// TestRoundTrip reads files that ibnetdiscover printed and writes them again.
// Blanks and empty lines are compared only in files that nobody has edited.
func TestRoundTrip(t *testing.T) {
	corpus := testenv.Corpus(t)
	for _, tt := range []struct {
		file   string
		edited bool
	}{
		{"ufm-selene-storage.txt", false},
		{"ufm-small.txt", false},
		{"topograph-example.out", false},
		{"topograph-example-bad.out", false},
		{"loginoff-topo.txt", false},
		{"ltaulell-x5.txt", false},
		{"fabricmon-full-v.net", false},
		{"hk-topo2.txt", true},
		{"hk-topo3-hdr-dragonfly.txt", false},
		{"hk-topo4.txt", true},
		{"hk-topo5-superpod.txt", true},
	} {
		t.Run(tt.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(corpus, "topo", tt.file))
			if err != nil {
				t.Fatal(err)
			}
			f, err := Read(bytes.NewReader(data), tt.file)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(string(data), "\r\n", "\n")
			if i := strings.Index(want, "#\n# Topology"); i > 0 {
				want = want[i:] // a shell prompt
			}
			var out strings.Builder
			if err := Write(&out, f, &Options{Full: strings.Contains(want, " s=")}); err != nil {
				t.Fatal(err)
			}
			got := out.String()
			if tt.edited {
				got, want = squeeze(got), squeeze(want)
			}
			if got != strings.TrimRight(want, "\n")+"\n" {
				t.Error(cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
		})
	}
}

var (
	blanks     = regexp.MustCompile(`[ \t]+`)
	emptyLines = regexp.MustCompile(`\n+`)
)

func squeeze(text string) string {
	return emptyLines.ReplaceAllString(blanks.ReplaceAllString(text, " "), "\n")
}
