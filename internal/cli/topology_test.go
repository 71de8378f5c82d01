package cli

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTopologySlurm(t *testing.T) {
	const pod = "sim:gpupod?units=2&hosts=4&radix=16&rails=2&storage=4"
	const podStorage = pod + "&node=gpu0001 mlx5_2"
	for _, tt := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"--fabric", "sim:star?hosts=3"}, 0, "SwitchName=switch01 Nodes=node[0001-0003]\n", ""},
		{[]string{"--fabric", "sim:star?hosts=3", "--rename", `s/^node0*/n/`}, 0, "Nodes=n[1-3]\n", ""},
		{[]string{"--fabric", "sim:star?hosts=3", "--strip-suffix", "01"}, 0, "Nodes=node[00,0002-0003]\n", ""},
		{[]string{"--fabric", "sim:star?hosts=3", "--nodes", "node[0001-0002,0009]"}, 0, "Nodes=node[0001-0002]\n", `1 host left out: in --nodes, but not in the fabric ("node0009")`},
		{[]string{"--fabric", "sim:star?hosts=3", "--exclude", "2$"}, 0, "Nodes=node[0001,0003]\n", ""},
		{[]string{"--fabric", pod, "--fabric", podStorage}, 0, "# Network storage: 8 hosts.\nSwitchName=su01-leaf-r1 Nodes=gpu[0001-0004]\n", "4 hosts left out: not there to compute"},
		{[]string{"--fabric", podStorage, "--rail", "2"}, 2, "", "no rail 2"},
		{[]string{"--fabric", pod, "--rail", "2"}, 0, "SwitchName=su01-leaf-r2 Nodes=gpu[0001-0004]\n", ""},
		{[]string{"--fabric", pod, "--fabric", podStorage, "--network", "storage"}, 0, "SwitchName=storage-leaf01 Nodes=gpu[0001-0008]\n", ""},
		{[]string{"--fabric", pod, "--fabric", podStorage, "--network", "slow"}, 2, "", `--network "slow": there are compute, storage`},
		{[]string{"--fabric", pod, "--fabric", podStorage, "--roles", "host,storage"}, 0, "Nodes=storage[001-004]\n", ""},
		{[]string{"--fabric", pod, "--plugin", "block"}, 0, "BlockName=su02-leaf-r1 Nodes=gpu[0005-0008]\nBlockSizes=4,8\n", ""},
		{[]string{"--fabric", pod, "--plugin", "block", "--block-sizes", "8"}, 0, "BlockSizes=8\n", "blocks with fewer hosts"},
		{[]string{"--fabric", "sim:star?hosts=3", "--fabric", "sim:ring?switches=3", "--names", "a,b", "-o", "yaml"}, 0, "- topology: \"b\"\n  cluster_default: false\n", ""},
		{[]string{"--fabric", "sim:fattree?levels=2&radix=4&mute=node0003 mlx5_0", "--timeout", "10ms", "--retries", "0"}, 3, "SwitchName=leaf01", "not all of the fabric"},
		{[]string{"--fabric", "sim:star?hosts=3", "--nodes", "other"}, 1, "", "nothing is written"},
		{[]string{"--fabric", "sim:star", "--nodes", "n["}, 2, "", "--nodes"},
		{[]string{"--fabric", "sim:star", "--rename", "s/(/x/"}, 2, "", "--rename"},
		{[]string{"--fabric", "sim:star", "--exclude", "("}, 2, "", "--exclude"},
		{[]string{"--fabric", "sim:star", "--roles", "boss"}, 2, "", "there are host, storage"},
		{[]string{"--fabric", "sim:star", "--names", "a,a"}, 2, "", "--names"},
		{[]string{"--fabric", "sim:star", "--rail", "-1"}, 2, "", "--rail"},
		{[]string{"--fabric", "sim:star", "-o", "json"}, 2, "", "there are conf, yaml"},
		{[]string{"--fabric", "sim:star", "--plugin", "flat"}, 2, "", "there are tree, block"},
		{[]string{"--fabric", "sim:star", "--block-sizes", "4,12"}, 2, "", "power of two"},
		{[]string{"--fabric", "sim:star", "--block-level", "0"}, 2, "", "--block-level"},
		{[]string{"--fabric", "sim:no-such"}, 2, "", "no-such"},
	} {
		stdout, stderr, code := run(t, append([]string{"ibscope", "topology", "slurm"}, tt.args...)...)
		if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%q: code %d, want %d\n%s%s", tt.args, code, tt.code, stdout, stderr)
		}
	}
}

// TestTopologySlurmIsStable sweeps from two ends, and with an adapter of the first
// rail that does not answer: its host stays with its neighbours.
func TestTopologySlurmIsStable(t *testing.T) {
	const pod = "sim:gpupod?units=4&hosts=4&radix=16&rails=4"
	first, stderr, code := run(t, "ibscope", "topology", "slurm", "--fabric", pod)
	if code != 0 || !strings.Contains(first, "SwitchName=su03-leaf-r1 Nodes=gpu[0009-0012]\n") {
		t.Fatalf("code %d\n%s%s", code, first, stderr)
	}
	if other, stderr, code := run(t, "ibscope", "topology", "slurm", "--fabric", pod+"&node=gpu0014 mlx5_2"); code != 0 || other != first {
		t.Errorf("code %d, from gpu0014:\n%s%s", code, other, stderr)
	}
	if other, stderr, code := run(t, "ibscope", "topology", "slurm", "--fabric", pod+"&mute=gpu0010 mlx5_0", "--timeout", "10ms", "--retries", "0"); code != 3 || other != first {
		t.Errorf("code %d, without mlx5_0 of gpu0010:\n%s%s", code, other, stderr)
	}
}

// TestTopologyNames names hosts that have no name by a map, in a file.
func TestTopologyNames(t *testing.T) {
	dir := t.TempDir()
	stdout, _, _ := run(t, "ibscope", "discover", "--fabric", "sim:star?hosts=2", "-o", "list")
	fields := strings.Fields(stdout[strings.Index(stdout, "Ca"):])
	guid := fields[2]
	names, out := filepath.Join(dir, "names"), filepath.Join(dir, "topology.conf")
	if err := os.WriteFile(names, []byte(guid+" \"compute7.example.com HCA-1\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := run(t, "ibscope", "topology", "slurm", "--fabric", "sim:star?hosts=2", "--node-name-map", names, "--strip-domain", "--output-file", out)
	text, err := os.ReadFile(out)
	if code != 0 || err != nil || !strings.Contains(string(text), "Nodes=compute7,node000") {
		t.Errorf("code %d, %v\n%s%s", code, err, text, stderr)
	}
}

func TestTopologyKubernetes(t *testing.T) {
	stdout, stderr, code := run(t, "ibscope", "topology", "k8s", "--fabric", "sim:fattree?levels=2&radix=4", "--rename", "s/^/N/")
	var doc struct {
		Schema string
		Nodes  []struct {
			Name   string
			Labels map[string]string
		}
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code != 0 {
		t.Fatalf("code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if doc.Schema != "ibscope.nodelabels" || len(doc.Nodes) != 8 || doc.Nodes[0].Name != "nnode0001" || doc.Nodes[0].Labels["network.topology.nvidia.com/spine"] != "spine01" {
		t.Errorf("%+v", doc)
	}
	if _, stderr, code := run(t, "ibscope", "topology", "k8s", "--fabric", "sim:star", "--scheme", "x"); code != 2 || !strings.Contains(stderr, "nvidia, topograph") {
		t.Errorf("code %d: %s", code, stderr)
	}
}

func TestTopologyGraph(t *testing.T) {
	for format, want := range map[string]string{"graphml": "<data key=\"node_role\">leaf</data>", "dot": `ib_role="leaf"`, "cytoscape": `"role":"leaf"`} {
		stdout, stderr, code := run(t, "ibscope", "topology", "graph", "--fabric", "sim:fattree?levels=2&radix=4", "-o", format)
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%s: code %d\n%s%s", format, code, stdout, stderr)
		}
		if format == "graphml" {
			for d := xml.NewDecoder(strings.NewReader(stdout)); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, args := range [][]string{{"-o", "svg"}, {"--fabric", "sim:no-such"}} {
		if stdout, _, code := run(t, append([]string{"ibscope", "topology", "graph"}, args...)...); code != 2 || stdout != "" {
			t.Errorf("%q: code %d", args, code)
		}
	}
}
