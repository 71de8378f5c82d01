package metrics

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// example is a configuration from docs/metrics.md, with hosts that exist and without
// its patience.
func example(t *testing.T, name string, hosts ...string) string {
	t.Helper()
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(file(t, "../../../docs/metrics.md"), -1) {
		if strings.HasPrefix(block[1], "# prometheus.yml: "+name+"\n") {
			return strings.NewReplacer(append(hosts, "1m", "1s")...).Replace(block[1])
		}
	}
	t.Fatalf("docs/metrics.md has no example of %s", name)
	return ""
}

func host(url string) string {
	rest := strings.TrimPrefix(url, "http://")
	at, _, _ := strings.Cut(rest, "/")
	return at
}

// TestFederationAndRemoteWrite runs the examples of docs/metrics.md: a Prometheus at the
// site, one that it writes to, and one that fetches from it.
func TestFederationAndRemoteWrite(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	central := newPrometheus(t, "global: {scrape_interval: 1s}\n", "--web.enable-remote-write-receiver")
	writes := example(t, "remote write", "ibscope.example:9805", host(l.url), "prometheus-central.example:9090", host(central.url))
	newPrometheus(t, writes)
	site := newPrometheus(t, example(t, "scrape", "ibscope.example:9805", host(l.url),
		"ibscope-record", rulesDir(t)+"/ibscope-record", "ibscope-alert", rulesDir(t)+"/ibscope-alert"))
	federation := newPrometheus(t, example(t, "federation", "prometheus-site.example:9090", host(site.url)))

	got := central.waitFor(`ibscope_port_state{site="north",job="ibscope"}`)
	if len(got) < 60 {
		t.Errorf("%d ports were written", len(got))
	}
	if extra, err := central.query(`{__name__=~"ibscope_port_receive_errors_total|go_goroutines"}`); err != nil || len(extra) > 0 {
		t.Errorf("written too: %v %v", extra, err)
	}
	federation.waitFor(`ibscope_links{job="ibscope",fabric="test"} > 30`)
	federation.waitFor(`fabric:ibscope_active_links:ratio > 0.5`)
	federation.waitFor(`ALERTS{alertname="IbscopeLinkDegraded"}`)
	if extra, err := federation.query(`ibscope_port_state`); err != nil || len(extra) > 0 {
		t.Errorf("fetched too: %d ports, %v", len(extra), err)
	}
}

func rulesDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(contrib)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}
