package topology_test

import (
	"path/filepath"
	"testing"

	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/internal/testenv"
)

// TestCorpus classifies real fabrics. The counts come from the files:
//
//	adapters    grep '^Ca' FILE | grep -vc Aggregation
//	aggregation grep '^Ca' FILE | grep -c Aggregation
//	switches    grep -c '^Switch' FILE
//	hosts       grep '^Ca' FILE | grep -v -e Aggregation -e ConnectX | sed 's/.*# "\([^ "]*\).*/\1/' | sort -u | wc -l
//
// hosts are those with a name of their own: "localhost" and "ubuntu" in the
// output of the last line are not.
func TestCorpus(t *testing.T) {
	for _, test := range []struct {
		file                                   string
		adapters, aggregation, switches, hosts int
		kind                                   topology.Kind
		tiers                                  []int // switches
		groups, rails                          int
	}{
		// Luna hosts have two storage adapters, on leaves of their own.
		{"ufm-selene-storage.txt", 1247, 0, 160, 628, topology.FatTree, []int{64, 64, 32}, 4, 2},
		// Four rails; one unit of hosts names its adapters mlx5_N, the others HCA-N.
		{"topograph-example.out", 542, 40, 40, 120, topology.FatTree, []int{31, 9}, 0, 4},
		// Eight rails, 140 hosts; the management hosts are on spines.
		{"hk-topo5-superpod.txt", 1130, 206, 206, 150, topology.FatTree, []int{56, 80, 70}, 8, 8},
		// 40 leaves and 20 spines of a laboratory, with hosts on two and three of them.
		{"hk-topo3-hdr-dragonfly.txt", 2, 0, 60, 2, topology.FatTree, []int{40, 20}, 0, 0},
		{"hk-topo4.txt", 3, 0, 60, 3, topology.FatTree, []int{40, 20}, 0, 0},
		// Each rail is one leaf; the hosts number their adapters in two ways.
		{"gm-infiniband-default-ibdiagnet2.ibnetdiscover.txt", 256, 7, 9, 32, topology.FatTree, []int{8, 1}, 0, 8},
		{"cyberang3l-k4n3.topo", 128, 0, 80, 128, topology.FatTree, []int{32, 32, 16}, 8, 0},
		{"loginoff-topo.txt", 144, 0, 8, 144, topology.FatTree, []int{6, 2}, 0, 0},
		{"ltaulell-x5.txt", 89, 0, 11, 0, topology.FatTree, []int{6, 4, 1}, 0, 0},
	} {
		f, err := format.Load(filepath.Join(testenv.Corpus(t), "topo", test.file))
		if f == nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		top := topology.Classify(f, nil)
		adapters, aggregation, switches, hosts := 0, 0, 0, 0
		for _, p := range top.Places {
			switch {
			case p.Role.IsHost():
				adapters++
			case p.Role == topology.RoleAggregation:
				aggregation++
			case p.Tier > 0:
				switches++
			}
		}
		for _, h := range top.Hosts {
			if h.By == topology.ByName {
				hosts++
			}
		}
		if adapters != test.adapters || aggregation != test.aggregation || switches != test.switches || hosts != test.hosts {
			t.Errorf("%s: %d adapters, %d aggregation nodes, %d switches, %d hosts; want %d, %d, %d, %d", test.file,
				adapters, aggregation, switches, hosts, test.adapters, test.aggregation, test.switches, test.hosts)
		}
		p := top.Parts[0]
		if p.Kind != test.kind || p.Groups != test.groups || len(top.Rails) != test.rails || len(p.Tiers) != len(test.tiers) {
			t.Errorf("%s: %s", test.file, shape(top))
			continue
		}
		for i, n := range test.tiers {
			if p.Tiers[i].Switches != n {
				t.Errorf("%s: %d switches in tier %d, want %d", test.file, p.Tiers[i].Switches, i+1, n)
			}
		}
	}
}

// TestTotalOfCorpus classifies all real files: none may fail.
func TestTotalOfCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "topo", "*"))
	if err != nil || len(files) == 0 {
		t.Skip("no files in the corpus")
	}
	for _, file := range files {
		f, _ := format.Load(file)
		if f == nil {
			continue
		}
		for _, collapse := range []bool{false, true} {
			top := topology.Classify(f, &topology.Options{CollapseChassis: collapse})
			if len(top.Places) != f.NumNodes() {
				t.Errorf("%s: %d places of %d nodes", file, len(top.Places), f.NumNodes())
			}
		}
	}
}
