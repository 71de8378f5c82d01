package sim_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim"
)

// Real files, simulated, swept and printed again.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "topo", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text := must[[]byte](t)(os.ReadFile(file))
			f := must[*fabric.Fabric](t)(ibnetdiscover.Read(bytes.NewReader(text), filepath.Base(file)))
			s := must[*sim.Fabric](t)(sim.New(f, nil))
			p := must[*sim.Port](t)(s.Attach(nil))
			found := must[*fabric.Fabric](t)(discover.Run(t.Context(), p, &discover.Options{Timeout: 10 * time.Millisecond}))
			if d := cmp.Diff(blocks(t, f), blocks(t, found)); d != "" {
				t.Errorf("nodes %d, found %d, problems %d\n%.1500s", f.NumNodes(), found.NumNodes(), len(f.Problems()), d)
			}
		})
	}
}

// blocks gives the node blocks as ibnetdiscover prints them, sorted: files that
// were edited, or say no start, are not in the order of a sweep. Links whose
// rate no line tells run at 4xSDR when simulated.
func blocks(t *testing.T, f *fabric.Fabric) []string {
	var b bytes.Buffer
	if err := ibnetdiscover.Write(&b, f, &ibnetdiscover.Options{Time: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(strings.TrimSpace(b.String()), "?????", "4xSDR")
	all := strings.Split(text, "\n\n")[1:]
	slices.Sort(all)
	return all
}
