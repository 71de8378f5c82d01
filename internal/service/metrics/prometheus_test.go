package metrics

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/sim"
)

// A server is a Prometheus that runs.
type server struct {
	t   *testing.T
	url string
}

// newPrometheus starts one with a configuration, and more arguments.
func newPrometheus(t *testing.T, config string, args ...string) *server {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"--config.file=" + file, "--storage.tsdb.path=" + filepath.Join(dir, "data")}, args...)
	return &server{t, daemon(t, "prometheus", args...)}
}

// sample is one of the answer to a query.
type sample struct {
	labels map[string]string
	value  float64
}

// query asks for a vector; the error is what Prometheus says.
func (p *server) query(expr string) ([]sample, error) {
	p.t.Helper()
	var answer struct {
		Status, Error string
		Data          struct {
			ResultType string
			Result     []struct {
				Metric map[string]string
				Value  [2]any
			}
		}
	}
	if err := p.get("/api/v1/query?query="+url.QueryEscape(expr), &answer); err != nil {
		return nil, err
	}
	if answer.Status != "success" {
		return nil, fmt.Errorf("%s", answer.Error)
	}
	var out []sample
	for _, r := range answer.Data.Result {
		v, err := strconv.ParseFloat(fmt.Sprint(r.Value[1]), 64)
		if err != nil {
			return nil, err
		}
		out = append(out, sample{r.Metric, v})
	}
	return out, nil
}

func (p *server) get(path string, answer any) error {
	text, err := fetch(p.t, p.url+path)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), answer)
}

// waitFor waits until a query has an answer.
func (p *server) waitFor(expr string) []sample {
	p.t.Helper()
	var got []sample
	eventually(p.t, expr, func() bool {
		var err error
		got, err = p.query(expr)
		return err == nil && len(got) > 0
	})
	return got
}

// scrapeConfig is a configuration that scrapes all sets of a live fabric every second,
// with the rules of contrib.
func scrapeConfig(t *testing.T, l *live) string {
	t.Helper()
	rules, err := filepath.Abs("../../../contrib/prometheus/*.rules.yml")
	if err != nil {
		t.Fatal(err)
	}
	host := strings.TrimSuffix(strings.TrimPrefix(l.url, "http://"), "/metrics")
	config := "global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: ['" + rules + "']\nscrape_configs:\n"
	for _, set := range []string{"", "treydock", "guilbaults", "node"} {
		config += fmt.Sprintf("- {job_name: ibscope%s, metrics_path: /metrics/%s, static_configs: [{targets: ['%s']}]}\n", set, set, host)
	}
	return config
}

// TestPrometheus lets a real Prometheus scrape a live fabric, and asks it.
func TestPrometheus(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	p := newPrometheus(t, scrapeConfig(t, l))
	p.waitFor(`up{job="ibscopeguilbaults"} == 1 and on () up{job="ibscopetreydock"} == 1 and on () up{job="ibscope"} == 1`)
	p.waitFor(`ibscope_port_falls_total == 0`)
	close(l.trouble)
	p.waitFor(`ibscope_port_flapping == 1`)
	p.waitFor(`increase(ibscope_port_falls_total[1m]) > 0`)
	p.waitFor(`increase(ibscope_runs_total{run="pass"}[1m]) > 5`)
	t.Run("truth", func(t *testing.T) { l.compare(t, p) })
	t.Run("rates", func(t *testing.T) { checkRates(t, p) })
	t.Run("rules", func(t *testing.T) { checkRules(t, p) })
}

// compare compares what Prometheus has with the simulator.
func (l *live) compare(t *testing.T, p *server) {
	names := map[string]string{
		"SymbolErrorCounter":       "ibscope_port_symbol_errors_total",
		"PortRcvErrors":            `{__name__=~"infiniband_(switch|hca)_port_receive_errors_total"}`,
		"PortRcvSwitchRelayErrors": "ibscope_port_receive_switch_relay_errors_total",
	}
	for name, metric := range names {
		got, err := p.query(metric)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]float64{}
		for _, s := range got {
			found[s.labels["guid"]+"/"+s.labels["port"]] = s.value
		}
		for port := range l.model.Ports() {
			if port.Num() == 0 || port.Remote() == nil {
				continue
			}
			truth, err := l.truth.Get(sim.Place{Node: port.Node(), Port: port.Num()}, "PortCountersExtended."+name)
			if err != nil {
				t.Fatal(err)
			}
			guid := port.Node().GUID()
			foreign := strings.HasPrefix(metric, "{") // a set in which ports go by their own GUID, and only while they are linked
			if foreign {
				guid = port.GUID()
			}
			key := fmt.Sprintf("%s/%d", guid, port.Num())
			if v, ok := found[key]; ok && v != float64(truth) || !ok && !foreign {
				t.Errorf("%s of %s is %v (%t), the simulator has %d", name, key, v, ok, truth)
			}
		}
		if len(found) < 60 {
			t.Errorf("%s: %d ports", name, len(found))
		}
	}
}

// checkRates compares the load of links with what the simulator was told: 30 % of the
// data rate, the directions ±50 % of that.
func checkRates(t *testing.T, p *server) {
	p.waitFor(`count_over_time(ibscope_port_transmit_data_bytes_total[10s]) > 8`)
	got, err := p.query(`avg by (guid, port) (rate(ibscope_port_transmit_data_bytes_total[10s]) / on (fabric, guid, port) ibscope_port_rate_bytes_per_second)`)
	if err != nil || len(got) < 60 {
		t.Fatalf("%d rates: %v", len(got), err)
	}
	near := 0
	for _, s := range got {
		if s.value > 0.1 && s.value < 0.6 {
			near++
		}
	}
	if near < len(got)*3/4 {
		t.Errorf("%d of %d ports have a load that the simulator may give them: %v", near, len(got), got)
	}
}

// checkRules looks whether Prometheus could evaluate every rule.
func checkRules(t *testing.T, p *server) {
	var answer struct {
		Data struct {
			Groups []struct {
				Name  string
				Rules []struct{ Name, Health, LastError string }
			}
		}
	}
	rules := 0
	eventually(t, "all rules evaluated", func() bool {
		rules = 0
		if err := p.get("/api/v1/rules", &answer); err != nil {
			return false
		}
		for _, g := range answer.Data.Groups {
			for _, r := range g.Rules {
				if r.Health == "unknown" {
					return false
				}
				rules++
			}
		}
		return true
	})
	for _, g := range answer.Data.Groups {
		for _, r := range g.Rules {
			if r.Health != "ok" {
				t.Errorf("%s: %s %s", r.Name, r.Health, r.LastError)
			}
		}
	}
	if rules < 40 {
		t.Errorf("%d rules", rules)
	}
	for _, name := range []string{"IbscopeLinkDegraded", "IbscopeLinkFlaps"} {
		p.waitFor(`ALERTS{alertname="` + name + `",remote_name=~".*spine.*|.*leaf.*"}`)
	}
}
