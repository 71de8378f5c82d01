package metrics

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/rdma"
)

// machine is a tree of files with two devices that have all counters, each with a
// value of its own.
func machine(t *testing.T) *testenv.Sysfs {
	t.Helper()
	s := testenv.NewSysfs(t,
		testenv.SysfsCA{Name: "mlx5_0", Ports: []testenv.SysfsPort{{Num: 1}, {Num: 2, State: "1: DOWN", PhysState: "3: Disabled", Rate: "2.5 Gb/sec (1X SDR)"}}},
		testenv.SysfsCA{Name: "mlx5_1", HCAType: "MT4129", Firmware: "28.39", Ports: []testenv.SysfsPort{{Num: 1, Rate: "400 Gb/sec (4X NDR)"}}})
	s.Write(s.CAFile("mlx5_0", "board_id"), "MT_0000000223")
	s.Write(s.CAFile("mlx5_1", "board_id"), "MT_0000000838")
	value := uint64(1 << 33)
	for _, port := range []string{"mlx5_0/ports/1", "mlx5_0/ports/2", "mlx5_1/ports/1"} {
		for _, c := range hostCounters {
			value += 12345
			s.Write(fmt.Sprintf("class/infiniband/%s/%s/%s", port, hostDirName(c), c.file), fmt.Sprint(value))
		}
		s.Write("class/infiniband/"+port+"/hw_counters/lifespan", "2000")
	}
	return s
}

func hostDirName(c hostCounter) string {
	switch {
	case c.dir == driverDir:
		return "hw_counters"
	case strings.HasPrefix(c.word, "legacy_"):
		return "counters_ext"
	}
	return "counters"
}

// hostPage is what the set Node has for a tree.
func hostPage(t *testing.T, root string) string {
	t.Helper()
	_, page := get(t, New(always(), nil, &Options{Sets: []Set{Node}, Host: rdma.Host{Sys: root}}), "/metrics/node")
	return page
}

func TestNode(t *testing.T) {
	s := machine(t)
	page := hostPage(t, s.Root)
	promtool(t, page)
	e := read(t, page)
	checkTable(t, e, table(t, "testdata/node.txt"))
	value := uint64(1 << 33)
	for _, port := range []string{`device="mlx5_0",port="1"`, `device="mlx5_0",port="2"`, `device="mlx5_1",port="1"`} {
		for _, c := range hostCounters {
			value += 12345
			want := float64(value)
			if strings.Contains(c.file, "_data") {
				want *= 4
			}
			if got := e.values["node_infiniband_"+c.word+"{"+port+"}"]; got != want {
				t.Errorf("%s of %s = %v, want %v", c.word, port, got, want)
			}
		}
	}
	for series, want := range map[string]float64{
		`node_infiniband_info{device="mlx5_1",board_id="MT_0000000838",firmware_version="28.39",hca_type="MT4129"}`: 1,
		`node_infiniband_rate_bytes_per_second{device="mlx5_1",port="1"}`:                                           5e10,
		`node_infiniband_rate_bytes_per_second{device="mlx5_0",port="2"}`:                                           312500000,
		`node_infiniband_physical_state_id{device="mlx5_0",port="2"}`:                                               3,
		`node_infiniband_lifespan_seconds{device="mlx5_0",port="1"}`:                                                2,
		`node_scrape_collector_success{collector="infiniband"}`:                                                     1,
	} {
		if got, ok := e.values[series]; !ok || got != want {
			t.Errorf("%s = %v (%t), want %v", series, got, ok, want)
		}
	}
}

// TestNodeBroken: a device that is broken hides nothing of itself beyond what is
// broken, and nothing of another one.
func TestNodeBroken(t *testing.T) {
	s := machine(t)
	whole := read(t, hostPage(t, s.Root))
	for _, file := range []string{"fw_ver", "ports/1/state", "ports/1/rate", "ports/1/link_layer", "ports/1/counters/symbol_error"} {
		s.Remove(s.CAFile("mlx5_0", file))
	}
	s.Write(s.CAFile("mlx5_0", "ports/2/counters/port_xmit_data"), "N/A (no PMA)")
	s.Write(s.CAFile("mlx5_0", "ports/2/counters/link_downed"), "rubbish")
	broken := read(t, hostPage(t, s.Root))
	var missing []string
	for series := range whole.values {
		if _, ok := broken.values[series]; !ok {
			missing = append(missing, series)
		}
	}
	want := map[string]bool{
		`node_infiniband_state_id{device="mlx5_0",port="1"}`:                                                             true,
		`node_infiniband_rate_bytes_per_second{device="mlx5_0",port="1"}`:                                                true,
		`node_infiniband_symbol_error_total{device="mlx5_0",port="1"}`:                                                   true,
		`node_infiniband_port_data_transmitted_bytes_total{device="mlx5_0",port="2"}`:                                    true,
		`node_infiniband_link_downed_total{device="mlx5_0",port="2"}`:                                                    true,
		`node_infiniband_info{device="mlx5_0",board_id="MT_0000000223",firmware_version="20.31.1014",hca_type="MT4123"}`: true,
	}
	for _, series := range missing {
		if !want[series] {
			t.Errorf("%s is gone", series)
		}
		delete(want, series)
	}
	for series := range want {
		t.Errorf("%s is still there", series)
	}
	if broken.values[`node_scrape_collector_success{collector="infiniband"}`] != 0 {
		t.Error("no failure is told")
	}
}

// TestAgainstNodeExporter runs node_exporter on a tree, and compares value by value.
func TestAgainstNodeExporter(t *testing.T) {
	testenv.Need(t, "prometheus-node-exporter")
	if n := compareNodeExporter(t, machine(t).Root); n < 60 {
		t.Errorf("only %d samples", n)
	}
}

// TestAgainstNodeExporterOnRealTrees does the same on trees of real machines, and of
// other projects' tests. Where node_exporter gives nothing at all because one file is
// missing, there is nothing to compare.
func TestAgainstNodeExporterOnRealTrees(t *testing.T) {
	testenv.Need(t, "prometheus-node-exporter", "tar")
	archives, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "sysfs", "*"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, archive := range archives {
		dir := t.TempDir()
		if strings.HasSuffix(archive, ".ttar") {
			unpackText(t, archive, dir)
		} else if exec.Command("tar", "-xaf", archive, "-C", dir).Run() != nil {
			continue
		}
		filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err == nil && e.IsDir() && strings.HasSuffix(path, "/class/infiniband") {
				t.Run(filepath.Base(archive)+path[len(dir):], func(t *testing.T) {
					compared += compareNodeExporter(t, filepath.Dir(filepath.Dir(path)))
				})
			}
			return nil
		})
	}
	if compared < 50 {
		t.Errorf("only %d samples were compared", compared)
	}
}

// unpackText unpacks the files of InfiniBand devices from an archive of ttar.
func unpackText(t *testing.T, archive, dir string) {
	t.Helper()
	text, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	for entry := range strings.SplitSeq(string(text), "\n# ttar - - -") {
		_, entry, _ = strings.Cut(entry, "\n")
		path, ok := strings.CutPrefix(entry, "Path: ")
		if !ok || !strings.Contains(path, "/class/infiniband/") {
			continue
		}
		path, rest, _ := strings.Cut(path, "\n")
		head, body, _ := strings.Cut(rest, "\n")
		var lines int
		if _, err := fmt.Sscanf(head, "Lines: %d", &lines); err != nil {
			continue
		}
		content := strings.Join(strings.SplitAfter(body, "\n")[:lines], "")
		file := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(content, "EOF\n", "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// compareNodeExporter compares all that node_exporter has of a tree, and tells how
// much that was.
func compareNodeExporter(t *testing.T, root string) int {
	t.Helper()
	url := daemon(t, "prometheus-node-exporter", "--path.sysfs="+root, "--collector.disable-defaults", "--collector.infiniband", "--web.disable-exporter-metrics")
	page, err := fetch(t, url+"/metrics")
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours := nodeSamples(page), nodeSamples(hostPage(t, root))
	for series, want := range theirs {
		if got, ok := ours[series]; !ok || math.Abs(got-want) > want*1e-12 {
			t.Errorf("%s = %v (%t), node_exporter has %v", series, got, ok, want)
		}
	}
	return len(theirs)
}

// nodeSamples are the samples of InfiniBand devices, by series with sorted labels.
func nodeSamples(page string) map[string]float64 {
	out := map[string]float64{}
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "node_infiniband_") {
			continue
		}
		line = strings.TrimSpace(line)
		at := strings.LastIndexByte(line, ' ')
		name, rest, _ := strings.Cut(line[:at], "{")
		pairs := strings.Split(strings.TrimSuffix(rest, "}"), ",")
		var v float64
		fmt.Sscan(line[at+1:], &v)
		out[name+fmt.Sprint(sorted(pairs))] = v
	}
	return out
}
