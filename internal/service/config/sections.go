package config

import (
	"errors"
	"net/url"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/service/nats"
)

// config reads the whole of a file.
func (r *reader) config(c *Config, root *yaml.Node) {
	r.mapping(root,
		key{"fabrics", func(n *yaml.Node) { c.Fabrics = r.fabrics(n) }},
		key{"listen", r.addresses(&c.Listen)},
		key{"web_config", r.text(&c.WebConfig, "a file")},
		key{"tokens", r.text(&c.Tokens, "a file")},
		key{"public", r.paths(&c.Public)},
		key{"hosts", r.hosts(&c.Hosts)},
		key{"open", r.flag(&c.Open)},
		key{"limits", func(n *yaml.Node) { r.limits(&c.Limits, n) }},
		key{"state", r.text(&c.State, "a directory")},
		key{"user", r.text(&c.User, "the name of a user")},
		key{"allow_resets", r.flag(&c.AllowResets)},
		key{"routes", r.flag(&c.Routes)},
		key{"log_level", set(r, &c.Level, "debug, info, warn or error", ParseLevel)},
		key{"events", func(n *yaml.Node) { r.events(&c.Events, n) }},
		key{"history", func(n *yaml.Node) { r.history(&c.History, n) }},
		key{"metrics", func(n *yaml.Node) { r.metrics(&c.Metrics, n) }},
		key{"webhooks", func(n *yaml.Node) { r.webhooks(c, n) }},
		key{"fleet", func(n *yaml.Node) { r.fleet(&c.Fleet, n) }},
	)
}

func (r *reader) paths(v *[]string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		r.texts(v, "paths")(n)
		for i, p := range *v {
			if p != "" && !IsPath(p) {
				r.noteAt(n.Content[i], expected(p, PathText))
			}
		}
	}
}

// PathText says what IsPath wants.
const PathText = "a path that begins with /, which may end in a *"

// IsPath reports whether a text can be the path of a request, or the beginning of some.
func IsPath(s string) bool {
	begin := strings.TrimSuffix(s, "*")
	clean := path.Clean(begin)
	return strings.HasPrefix(s, "/") && (begin == clean || begin == clean+"/") && !strings.ContainsAny(begin, "*?# ")
}

// hosts are the names of the service, without a port.
func (r *reader) hosts(v *[]string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		r.texts(v, "names of this host")(n)
		for i, name := range *v {
			if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-._") != "" {
				r.noteAt(n.Content[i], expected(name, "the name of a host, without a port"))
			}
		}
	}
}

func (r *reader) limits(l *Limits, n *yaml.Node) {
	const most = 10_000
	r.mapping(n,
		key{"requests", r.number(&l.Requests, 1, most)},
		key{"per_client", r.number(&l.PerClient, 1, most)},
		key{"streams", r.number(&l.Streams, 1, most)},
	)
}

func (r *reader) events(e *Events, n *yaml.Node) {
	r.mapping(n,
		key{"kept", r.number(&e.Kept, 1, 1_000_000)},
		key{"flap_count", r.number(&e.FlapCount, 1, 1000)},
		key{"flap_window", r.window(&e.FlapWindow)},
		key{"thresholds", func(n *yaml.Node) { e.Thresholds = r.thresholds(n) }},
		key{"error_window", r.window(&e.ErrorWindow)},
	)
}

// thresholds are counters by name with a number, or off. Those that are not there keep
// their default.
func (r *reader) thresholds(n *yaml.Node) *threshold.Limits {
	limits := event.DefaultLimits()
	if n.Kind != yaml.MappingNode {
		r.noteAt(n, expected(describe(n), "a mapping with names of counters"))
		return limits
	}
	seen := map[counters.Counter]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		counter, ok := threshold.Find(name.Value)
		if !ok {
			r.noteAt(name, expected(describe(name), "a counter of errors: "+errorCounters()))
			continue
		}
		if seen[counter] {
			r.noteAt(name, mistakef("%s is there twice", name.Value))
		}
		seen[counter] = true
		if err := limits.Parse(name.Value + "=" + value.Value); err != nil || value.Kind != yaml.ScalarNode {
			r.noteAt(value, expected(describe(value), "a number, or off"))
		}
	}
	return limits
}

// errorCounters are the counters that a threshold may be of.
func errorCounters() string {
	var names []string
	for c := range counters.Errors.All() {
		names = append(names, c.Field())
	}
	return strings.Join(names, ", ")
}

func (r *reader) history(h *History, n *yaml.Node) {
	keep := true
	r.mapping(n,
		key{"keep", r.flag(&keep)},
		key{"max_size", r.size(&h.MaxBytes)},
		key{"events", r.age(&h.Events)},
		key{"snapshots", r.age(&h.Snapshots)},
		key{"rates", func(n *yaml.Node) {
			r.mapping(n,
				key{"passes", r.age(&h.Passes)}, key{"five_minutes", r.age(&h.Minutes)},
				key{"hours", r.age(&h.Hours)}, key{"days", r.age(&h.Days)},
			)
		}},
	)
	h.Off = !keep
}

func (r *reader) metrics(m *Metrics, n *yaml.Node) {
	r.mapping(n,
		key{"compat", func(n *yaml.Node) {
			r.texts(&m.Compat, "names of exporters")(n)
			for i, name := range m.Compat {
				if name != "" && !slices.Contains(Compat, name) {
					r.noteAt(n.Content[i], expected(name, "one of "+strings.Join(Compat, ", ")))
				}
			}
		}},
		key{"max_series", r.number(&m.MaxSeries, 1, 100_000_000)},
		key{"textfile", set(r, &m.Textfile, "a file that ends in .prom", parseTextfile)},
		key{"details", func(n *yaml.Node) {
			m.Details = new(bool)
			r.flag(m.Details)(n)
		}},
	)
}

// Compat are the sets of metrics of other exporters.
var Compat = []string{"treydock", "node", "guilbaults"}

func (r *reader) webhooks(c *Config, n *yaml.Node) {
	var list []Webhook
	for _, element := range r.list(n, "webhooks", mostWebhooks) {
		w := Webhook{}
		r.mapping(element,
			key{"name", set(r, &w.Name, "a word of a-z, 0-9, _ and -", parseName)},
			key{"url", set(r, &w.URL, "a URL with http or https", ParseURL)},
			key{"secret", r.text(&w.Secret, "a file")},
			key{"kinds", r.kinds(&w.Kinds)},
			key{"severity", set(r, &w.Severity, "info, warning or critical", parseSeverity)},
			key{"fabrics", func(n *yaml.Node) {
				r.filter(&w.Fabrics, "names of fabrics")(n)
				r.mentions(c, n)
			}},
		)
		if w.URL == "" && element.Kind == yaml.MappingNode {
			r.noteAt(element, mistake("a webhook without a url"))
		}
		w.complete()
		if slices.ContainsFunc(list, func(other Webhook) bool { return other.Name == w.Name }) {
			r.noteAt(element, mistakef("two webhooks are called %s: give one a name", w.Name))
		}
		list = append(list, w)
	}
	c.Webhooks = list
}

// kinds are kinds of events.
func (r *reader) kinds(v *[]string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		r.filter(v, "kinds of events")(n)
		for i, kind := range *v {
			if kind != "" && !slices.Contains(event.Kinds(), event.Kind(kind)) {
				r.noteAt(n.Content[i], expected(kind, "one of "+kinds()))
			}
		}
	}
}

func kinds() string {
	var words []string
	for _, k := range event.Kinds() {
		words = append(words, string(k))
	}
	return strings.Join(words, ", ")
}

func parseTextfile(s string) (string, error) {
	if !strings.HasSuffix(s, ".prom") { // what node_exporter reads of a directory
		return "", errValue
	}
	return s, nil
}

const natsText = "addresses of NATS as nats://host:4222 or tls://host, with commas between them"

// checkNATS checks them. What is wrong may have a password in it, and is not shown.
func checkNATS(s string) error {
	err := nats.CheckURL(s)
	if err == nil {
		return nil
	}
	return mistakef("%v, expected %s", errors.Unwrap(err), natsText)
}

func (r *reader) nats(v *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || isNull(n) {
			r.noteAt(n, expected(describe(n), natsText))
			return
		}
		if err := checkNATS(n.Value); err != nil {
			r.noteAt(n, err)
			return
		}
		*v = n.Value
	}
}

// ParseURL checks a URL with http or https.
func ParseURL(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", errValue
	}
	return s, nil
}

func parseSeverity(s string) (string, error) {
	if !slices.Contains([]string{"info", "warning", "critical"}, s) {
		return "", errValue
	}
	return s, nil
}

func (r *reader) fleet(f *Fleet, n *yaml.Node) {
	r.mapping(n,
		key{"nats", r.nats(&f.URL)},
		key{"credentials", r.text(&f.Credentials, "a file")},
		key{"share", r.flag(&f.Share)},
		key{"name", set(r, &f.Name, "a word of a-z, 0-9, _ and -", parseName)},
	)
}
