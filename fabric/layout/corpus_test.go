package layout_test

import (
	"path/filepath"
	"testing"

	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/internal/testenv"
)

// TestCorpus lays out real fabrics: with hosts on spines, on several leaves, on none.
func TestCorpus(t *testing.T) {
	for _, name := range []string{
		"ufm-selene-storage.txt", "topograph-example.out", "hk-topo5-superpod.txt", "hk-topo3-hdr-dragonfly.txt", "hk-topo4.txt",
		"gm-infiniband-default-ibdiagnet2.ibnetdiscover.txt", "cyberang3l-k4n3.topo", "loginoff-topo.txt", "ltaulell-x5.txt",
	} {
		f, err := format.Load(filepath.Join(testenv.Corpus(t), "topo", name))
		if f == nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		top := topology.Classify(f, nil)
		for _, collapse := range []layout.Collapse{layout.None, layout.Hosts, layout.Pods} {
			l := layout.Compute(f, top, &layout.Options{Collapse: collapse})
			checkNodes(t, f, l)
			checkOverlaps(t, l)
			checkEdges(t, f, l)
		}
	}
}
