package day

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/ibscope/ibscope/internal/dashboard"
)

// calm is how long nothing happens at the beginning of the day.
const calm = 80 * time.Minute

// firing are the alerts of the day, and when each fires at the latest for the first time.
var firing = map[string]time.Duration{
	"IbscopeLinkFlaps":              2 * time.Hour,
	"IbscopeLinkDown":               7*time.Hour + 40*time.Minute,
	"IbscopeLinkRecoveries":         3 * time.Hour,
	"IbscopeSymbolErrors":           3 * time.Hour,
	"IbscopeLinkDegraded":           4 * time.Hour,
	"IbscopeCongestion":             6 * time.Hour,
	"IbscopeDiscards":               6 * time.Hour,
	"IbscopeCongestionWithDiscards": 6*time.Hour + 15*time.Minute,
	"IbscopeNodeVanished":           7*time.Hour + 40*time.Minute,
	"IbscopeNoSubnetManager":        14*time.Hour + 15*time.Minute,
	"IbscopeSubnetManagerChanged":   14*time.Hour + 30*time.Minute,
	"IbscopeReceiveErrors":          17*time.Hour + 30*time.Minute,
	"IbscopeLinkIntegrityErrors":    18 * time.Hour,
	"IbscopeBufferOverruns":         21 * time.Hour,
}

// rule is one of contrib/prometheus.
type rule struct {
	Record, Alert, Expr, For string
}

// checkAlerts asks the alerts what they had said of the day: each that is for a trouble
// of that day fires after it, all are silent while nothing happens, and no other fires at
// all.
func checkAlerts(t *testing.T, p *dashboard.Prometheus, files []string, start time.Time) {
	alerts := rules(t, files)
	if len(alerts) < 25 {
		t.Fatalf("%d alerts", len(alerts))
	}
	for name := range firing {
		if _, ok := alerts[name]; !ok {
			t.Errorf("there is no %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(alerts)) {
		r := alerts[name]
		wait := time.Duration(0)
		if r.For != "" {
			var err error
			if wait, err = time.ParseDuration(r.For); err != nil {
				t.Fatal(err)
			}
		}
		got, err := p.Range(t.Context(), r.Expr, start, start.Add(length), every)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		first := length
		for _, s := range got {
			first = min(first, fires(s.Points, wait, start))
		}
		switch latest := firing[name]; {
		case first < calm:
			t.Errorf("%s fires after %v, when nothing has happened", name, first)
		case latest == 0 && first < length:
			t.Errorf("%s fires after %v, and is for no trouble of the day", name, first)
		case latest > 0 && first > latest:
			t.Errorf("%s fires after %v, expected at the latest after %v", name, first, latest)
		}
	}
}

// fires is when a condition has held for a time without a gap.
func fires(points []dashboard.Point, wait time.Duration, start time.Time) time.Duration {
	since := time.Time{}
	for i, p := range points {
		if i == 0 || p.At.Sub(points[i-1].At) > every {
			since = p.At
		}
		if p.At.Sub(since) >= wait {
			return p.At.Sub(start)
		}
	}
	return length
}

// rules are the alerts, by name; what is recorded is put into them.
func rules(t *testing.T, files []string) map[string]rule {
	recorded, alerts := map[string]string{}, map[string]rule{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var parsed struct{ Groups []struct{ Rules []rule } }
		if err := yaml.Unmarshal(text, &parsed); err != nil {
			t.Fatal(err)
		}
		for _, g := range parsed.Groups {
			for _, r := range g.Rules {
				if r.Alert != "" {
					alerts[r.Alert] = r
				} else if !strings.Contains(r.Expr, r.Record) { // one that refers to itself is in the store
					recorded[r.Record] = "(" + r.Expr + ")"
				}
			}
		}
	}
	for name, r := range alerts {
		for range 3 { // what is recorded of what is recorded
			r.Expr = recordedName.ReplaceAllStringFunc(r.Expr, func(s string) string {
				if expr, ok := recorded[s]; ok {
					return expr
				}
				return s
			})
		}
		alerts[name] = r
	}
	return alerts
}

var recordedName = regexp.MustCompile(`fabric(_guid_port)?:[a-zA-Z0-9_:]+`)
