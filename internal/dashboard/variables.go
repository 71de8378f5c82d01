package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// choose gives a variable its value.
func (a *Answers) choose(ctx context.Context, p *Prometheus, v Variable, value string) error {
	if v.Type == "datasource" {
		a.values[v.Name], a.shown[v.Name] = "prometheus", "Prometheus"
		return nil
	}
	all, err := a.options(ctx, p, &v)
	if err != nil {
		return err
	}
	switch {
	case value != "":
		i := slices.IndexFunc(all, func(o option) bool { return o.text == value })
		if i < 0 {
			return fmt.Errorf("has no value %q", value)
		}
		a.values[v.Name], a.shown[v.Name] = all[i].value, value
	case v.IncludeAll && v.AllValue != "":
		a.values[v.Name], a.shown[v.Name] = v.AllValue, "All"
	default:
		a.values[v.Name], a.shown[v.Name] = all[0].value, all[0].text
	}
	return nil
}

// expand puts values for the variables of a text. A query has a step, and an interval
// between scrapes if its own minimum says one.
func (a *Answers) expand(text string, step time.Duration, interval string) string {
	scrape, err := time.ParseDuration(interval)
	if err != nil {
		scrape = 15 * time.Second // what Grafana takes where nobody says anything
	}
	words := map[string]string{
		"__rate_interval": promDuration(max(step+scrape, 4*scrape)), "__interval": promDuration(step), "__range": promDuration(a.length()),
		"__range_s": strconv.Itoa(int(a.length().Seconds())),
	}
	return variable.ReplaceAllStringFunc(text, func(s string) string {
		name := strings.Trim(s, "${}")
		if v, ok := words[name]; ok {
			return v
		}
		if v, ok := a.values[name]; ok {
			return v
		}
		return s
	})
}

var variable = regexp.MustCompile(`\$\w+|\$\{\w+\}`)

func promDuration(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) + "s" }

// option is what a variable may be: for people, and in queries.
type option struct{ text, value string }

// options are all that a variable may be, in order.
func (a *Answers) options(ctx context.Context, p *Prometheus, v *Variable) (list []option, err error) {
	query := definition.FindStringSubmatch(v.Definition)
	if query == nil {
		return nil, fmt.Errorf("its definition is not known: %s", v.Definition)
	}
	pattern, err := regexp.Compile(strings.Trim(v.Regex, "/"))
	if err != nil {
		return nil, err
	}
	got, err := p.Instant(ctx, a.expand(cmp.Or(query[1], query[3]), time.Minute, ""), a.end)
	if err != nil {
		return nil, err
	}
	for _, s := range got {
		o := option{s.Labels[query[2]], s.Labels[query[2]]}
		if query[2] == "" {
			o = pick(pattern, s.String())
		}
		if o.value != "" && !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	if len(list) == 0 {
		return nil, errEmpty
	}
	slices.SortFunc(list, func(a, b option) int { return cmp.Compare(a.text, b.text) })
	return list, nil
}

// definition is one of the two kinds of queries of variables.
var definition = regexp.MustCompile(`^(?:label_values\((.+), *(\w+)\)|query_result\((.+)\))$`)

// pick takes text and value out of a series as Grafana writes it.
func pick(pattern *regexp.Regexp, series string) (o option) {
	found := pattern.FindStringSubmatch(series)
	for i, name := range pattern.SubexpNames() {
		switch {
		case found == nil:
		case name == "text":
			o.text = found[i]
		case name == "value":
			o.value = found[i]
		}
	}
	return o
}
