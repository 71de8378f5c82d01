package metrics

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documented are the rows of the tables in docs/metrics.md, by their headings.
func documented() map[string][]string {
	out := map[string][]string{}
	for _, section := range []struct {
		heading  string
		families families
	}{
		{"The service and its runs", serviceFamilies()},
		{"Events", eventFamilies()},
		{"Nodes and links", nodeFamilies()},
		{"Ports", slices.Concat(portFamilies(), fallFamilies())},
		{"Counters of ports", counterFamilies()},
	} {
		for _, f := range section.families {
			out[section.heading] = append(out[section.heading], documentRow(f))
		}
	}
	for _, f := range selfFamilies {
		out["The exporter"] = append(out["The exporter"], documentRow(&f.family))
	}
	for _, f := range requestFamilies {
		out["Requests"] = append(out["Requests"], documentRow(&f.family))
	}
	return out
}

func documentRow(f *family) string {
	names := ""
	if f.labels != "" {
		names = "`" + strings.ReplaceAll(f.labels, ",", "` `") + "`"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s |", f.name, f.kind, names, f.help)
}

// TestDocument compares docs/metrics.md with what there is.
func TestDocument(t *testing.T) {
	text := file(t, "../../../docs/metrics.md")
	sections := map[string]string{}
	for section := range strings.SplitSeq(text, "\n## ") {
		heading, body, _ := strings.Cut(section, "\n")
		sections[heading] = body
	}
	known := map[string]bool{}
	for heading, rows := range documented() {
		var got []string
		for line := range strings.Lines(sections[heading]) {
			if strings.HasPrefix(line, "| `") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if !slices.Equal(got, rows) {
			t.Errorf("the table below %q is\n%s\nit should be\n%s", heading, strings.Join(got, "\n"), strings.Join(rows, "\n"))
		}
		for _, row := range rows {
			known[strings.Split(row, "`")[1]] = true
		}
	}
	for _, doc := range []string{"metrics.md", "migrate.md", "alerts.md"} {
		for _, name := range regexp.MustCompile(`\bibscope_[a-z0-9_]+[a-z0-9]\b`).FindAllString(file(t, "../../../docs/"+doc), -1) {
			if !known[name] && !strings.HasPrefix(name, "ibscope_test") {
				t.Errorf("%s has %s, which there is not", doc, name)
			}
		}
	}
}

// TestMigrateDocument: docs/migrate.md says for each name of another exporter's ports
// what it is called here.
func TestMigrateDocument(t *testing.T) {
	text := file(t, "../../../docs/migrate.md")
	for _, c := range treydockCounters {
		if !strings.Contains(text, "`"+c.word+"`") {
			t.Errorf("nothing about %s", c.word)
		}
	}
	for _, name := range guilbaultsCounters {
		if !strings.Contains(text, "`"+strings.ToLower(name)+"`") {
			t.Errorf("nothing about %s", strings.ToLower(name))
		}
	}
}
