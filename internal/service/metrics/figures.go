package metrics

import (
	"slices"
	"strings"
)

// Figure is a sample of another part of the service, such as the length of a queue.
type Figure struct {
	Name    string // of the metric, with its unit and, if it counts, _total
	Help    string // one line, that of the first figure of a name
	Counter bool   // it never falls, but at a new start
	Labels  []string
	Value   float64
}

// appendFigures writes figures, those of one name together. What would make the page
// invalid is left out: names that are none or are taken, and series that are there
// already.
func (c *Collector) appendFigures(out []byte, figures []Figure, format Format) []byte {
	var names []string
	for i := range figures {
		n := figures[i].Name
		if isName(n) && !c.taken[n] && !strings.HasPrefix(n, "go_") && !strings.HasPrefix(n, "process_") && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	for _, name := range names {
		f := family{kind: gauge}
		var w writer
		seen := map[string]bool{}
		w.begin(name, c.o.MaxSeries)
		for i := range figures {
			if figures[i].Name != name || !arePairs(figures[i].Labels) {
				continue
			}
			if f.name == "" {
				f.name, f.help = name, figures[i].Help
				if figures[i].Counter && strings.HasSuffix(name, "_total") {
					f.kind = counter
				}
			}
			if l := figureLabels(figures[i].Labels); !seen[l] {
				seen[l] = true
				w.float(l, figures[i].Value)
			}
		}
		if w.samples > 0 {
			out = append(appendHead(out, &f, format), w.buf...)
		}
	}
	return out
}

func figureLabels(pairs []string) string {
	if len(pairs) == 0 {
		return ""
	}
	return labels(pairs...)
}

// arePairs reports whether texts are names and values of labels in turn.
func arePairs(list []string) bool {
	for i := 0; i < len(list); i += 2 {
		if !isName(list[i]) {
			return false
		}
	}
	return len(list)%2 == 0
}

// isName reports whether a text may be the name of a metric.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
