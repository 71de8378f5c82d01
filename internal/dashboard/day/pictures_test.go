package day

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/dashboard"
	"github.com/ibscope/ibscope/internal/testenv"
)

var pictures = flag.String("pictures", "", "write the dashboards as they are drawn to the `FOLDER`")

// choices are what the pictures are of, where a dashboard wants one thing.
var choices = map[string]map[string]string{
	"node.json": {"node": "leaf04:MQM8700/U1"},
	"port.json": {"node": "leaf06:MQM8700/U1", "port": "7"},
}

// maxPicture is how large a picture may be: they are in the repository.
const maxPicture = 250_000

// TestDashboards lets a day pass in which everything goes wrong that the dashboards are
// for, and asks a Prometheus that remembers it every query of every panel: none fails, and
// none is without an answer. The alerts fire when they should. -pictures writes what the
// dashboards look like.
func TestDashboards(t *testing.T) {
	testenv.Need(t, "prometheus", "promtool")
	files, err := filepath.Glob(root + "contrib/grafana/*.json")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	rules, err := filepath.Glob(root + "contrib/prometheus/*.rules.yml")
	if err != nil || len(rules) != 2 {
		t.Fatal(rules, err)
	}
	m := newMemory(t, asked(t, slices.Concat(files, rules)))
	start := live(t, m.add)
	p := &dashboard.Prometheus{URL: serve(t, m.fill())}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { show(t, p, file, start.Add(length)) })
	}
	t.Run("alerts", func(t *testing.T) { checkAlerts(t, p, rules, start) })
}

// asked are the names of all metrics in dashboards.
func asked(t *testing.T, files []string) map[string]bool {
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range metric.FindAllString(string(text), -1) {
			names[name] = true
		}
	}
	return names
}

var metric = regexp.MustCompile(`\b(fabric_guid_port:ibscope|fabric:ibscope|ibscope|process|go|scrape)_[a-z0-9_:]+`)

func show(t *testing.T, p *dashboard.Prometheus, file string, end time.Time) {
	text, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	d, err := dashboard.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := d.Ask(t.Context(), p, end, length, choices[filepath.Base(file)])
	if err != nil {
		t.Error(err)
	}
	var out bytes.Buffer
	if err := a.Write(&out); err != nil {
		t.Fatal(err)
	}
	if out.Len() > maxPicture {
		t.Errorf("the picture has %d bytes", out.Len())
	}
	if *pictures != "" {
		name := "grafana-" + filepath.Base(file[:len(file)-len(".json")]) + ".svg"
		if err := os.WriteFile(filepath.Join(*pictures, name), out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
