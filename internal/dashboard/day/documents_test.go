package day

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/dashboard"
)

const root = "../../../"

// boards are the dashboards that are shipped, by the names of their files.
func boards(t *testing.T) map[string]*dashboard.Dashboard {
	t.Helper()
	files, err := filepath.Glob(root + "contrib/grafana/*.json")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	out := map[string]*dashboard.Dashboard{}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		d, err := dashboard.Read(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(name), ".json")] = d
	}
	return out
}

func text(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(root + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestNames: every metric in a dashboard is one that docs/metrics.md has, that a rule
// records, or that every Go program and every scrape has.
func TestNames(t *testing.T) {
	known := text(t, "docs/metrics.md")
	rules := text(t, "contrib/prometheus/ibscope-record.rules.yml")
	for file := range boards(t) {
		for _, name := range metric.FindAllString(text(t, "contrib/grafana/"+file+".json"), -1) {
			switch prefix, _, _ := strings.Cut(name, "_"); {
			case prefix == "process" || prefix == "go" || prefix == "scrape":
			case strings.Contains(known, "| `"+name+"` |") || strings.Contains(rules, "record: "+name+"\n"):
			default:
				t.Errorf("%s asks for %s, which docs/metrics.md does not have", file, name)
			}
		}
	}
}

// TestImport: a dashboard can be imported into Grafana 9 and later, whatever its data
// source is called, and those that look at rates work whatever its interval is.
func TestImport(t *testing.T) {
	uids := map[string]bool{}
	for file, d := range boards(t) {
		if d.UID == "" || uids[d.UID] || d.SchemaVersion != 36 {
			t.Errorf("%s: UID %q, schema %d", file, d.UID, d.SchemaVersion)
		}
		uids[d.UID] = true
		if len(d.Templating.List) == 0 || d.Templating.List[0].Type != "datasource" {
			t.Errorf("%s has no variable for the data source", file)
		}
		if raw := text(t, "contrib/grafana/"+file+".json"); strings.Count(raw, `"uid":`) != strings.Count(raw, `"uid": "${datasource}"`)+1 {
			t.Errorf("%s names a data source that only one Grafana has", file)
		}
		for _, p := range d.Panels {
			for _, target := range p.Targets {
				if strings.Contains(target.Expr, "$__rate_interval") && target.Interval == "" {
					t.Errorf("%s, %s: without a minimum Grafana takes rates over a minute, in which there may be one value", file, p.Title)
				}
			}
		}
	}
}

// TestDocument: docs/dashboards.md has every dashboard, its picture and a row for each
// panel; the pictures are of the dashboards as they are.
func TestDocument(t *testing.T) {
	document := text(t, "docs/dashboards.md")
	for file, d := range boards(t) {
		name := "images/grafana-" + file + ".svg"
		section := document[max(strings.Index(document, "("+name+")"), 0):]
		section, _, _ = strings.Cut(section, "\n## ")
		if !strings.HasPrefix(section, "("+name+")") {
			t.Errorf("docs/dashboards.md does not show %s", name)
			continue
		}
		picture := text(t, "docs/"+name)
		if len(picture) > maxPicture {
			t.Errorf("%s has %d bytes", name, len(picture))
		}
		for _, p := range d.Panels {
			if !strings.Contains(picture, ">"+strings.ReplaceAll(p.Title, "&", "&amp;")+"</text>") {
				t.Errorf("%s does not have the panel %q: make dashboards", name, p.Title)
			}
			if p.Type != "row" && !strings.Contains(section, "| "+p.Title) {
				t.Errorf("docs/dashboards.md does not tell what %q of %s is", p.Title, file)
			}
		}
	}
}
