package metrics

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// dashboard is as much of one as matters here.
type dashboard struct {
	UID, Title    string
	SchemaVersion int
	Templating    struct {
		List []struct{ Name, Type, Definition string }
	}
	Annotations struct {
		List []struct{ Expr string }
	}
	Panels []struct {
		ID          int
		Title, Type string
		GridPos     struct{ X, Y, W, H int }
		Targets     []struct{ Expr, LegendFormat string }
	}
}

func dashboards(t *testing.T) map[string]*dashboard {
	t.Helper()
	files, err := filepath.Glob("../../../contrib/grafana/*.json")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	out := map[string]*dashboard{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d := new(dashboard)
		if err := json.Unmarshal(text, d); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out[filepath.Base(file)] = d
	}
	return out
}

// TestDashboards looks at what Grafana would not complain of: panels without a query,
// panels on top of each other, identities that are there twice, metrics that there are not.
func TestDashboards(t *testing.T) {
	known := map[string]bool{"scrape_duration_seconds": true}
	for _, f := range ownFamilies() {
		known[f.name] = true
	}
	for _, f := range slices.Concat(selfFamilies, requestFamilies) {
		known[f.name] = true
	}
	_, page := get(t, New(always(), nil, nil), "/metrics")
	for name := range read(t, page).types {
		known[name] = true
	}
	uids := map[string]bool{}
	for file, d := range dashboards(t) {
		if d.UID == "" || uids[d.UID] || d.Title == "" || d.SchemaVersion < 36 {
			t.Errorf("%s: UID %q, title %q, schema %d", file, d.UID, d.Title, d.SchemaVersion)
		}
		uids[d.UID] = true
		taken, ids := map[[2]int]string{}, map[int]bool{}
		for _, p := range d.Panels {
			if ids[p.ID] || p.Type != "row" && len(p.Targets) == 0 {
				t.Errorf("%s: panel %q has no query, or the ID of another", file, p.Title)
			}
			ids[p.ID] = true
			for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
				for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
					if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
						t.Fatalf("%s: panel %q lies on %q", file, p.Title, other)
					}
					taken[[2]int{x, y}] = p.Title
				}
			}
			for _, target := range p.Targets {
				for _, name := range metricNames.FindAllString(target.Expr, -1) {
					if !known[name] && !strings.Contains(target.Expr, "__name__=~\""+name) {
						t.Errorf("%s: panel %q asks for %s", file, p.Title, name)
					}
				}
			}
		}
	}
}

var metricNames = regexp.MustCompile(`\b(ibscope|process|go)_[a-z0-9_]+`)

// checkDashboards asks every query of the dashboards: all must have an answer.
func checkDashboards(t *testing.T, p *server) {
	down := p.waitFor(`ibscope_port_degraded == 1`)[0].labels
	name := p.waitFor(`ibscope_node_info{guid="` + down["guid"] + `"}`)[0].labels["name"]
	variables := strings.NewReplacer(
		"$__rate_interval", "30s", "$fabric", "test", "$node", name, "$guid", down["guid"], "$port", down["port"], `[1h:1m]`, `[1h:1s]`)
	for file, d := range dashboards(t) {
		asked := 0
		ask := func(what, expr string, mayBeEmpty bool) {
			expr = variables.Replace(expr)
			if got, err := p.query(expr); err != nil || len(got) == 0 && !mayBeEmpty {
				t.Errorf("%s, %s: %d samples, %v\n%s", file, what, len(got), err, expr)
			}
			asked++
		}
		for _, panel := range d.Panels {
			for _, target := range panel.Targets {
				ask(panel.Title, target.Expr, mayBeEmpty[panel.Title])
			}
		}
		for _, a := range d.Annotations.List {
			ask("annotations", a.Expr, false)
		}
		for _, v := range d.Templating.List {
			inner, ok := strings.CutPrefix(v.Definition, "label_values(")
			if !ok {
				continue
			}
			selector, label, _ := cutLast(strings.TrimSuffix(inner, ")"), ", ")
			got, err := p.query(variables.Replace(selector))
			if err != nil || len(got) == 0 || got[0].labels[label] == "" {
				t.Errorf("%s: variable %s has no values: %v", file, v.Name, err)
			}
		}
		if asked < 7 {
			t.Errorf("%s: %d queries", file, asked)
		}
	}
}

// mayBeEmpty are the panels that show what is not there in the test's fabric.
var mayBeEmpty = map[string]bool{"Packets thrown away": true}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
