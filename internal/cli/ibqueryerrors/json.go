package ibqueryerrors

import (
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
)

// document is what was found.
type document struct {
	Thresholds map[string]uint64 `json:"thresholds"` // those that are not 0
	Suppressed []string          `json:"suppressed"`
	Summary    summary           `json:"summary"`
	Sums       []portFacts       `json:"sums"`
	Ports      []portFacts       `json:"ports"`
	Unread     []unread          `json:"unread"`
	Planned    []*diags.Plan     `json:"planned,omitempty"` // with --dry-run
}

// portFacts are the counters of a port that the text would show.
type portFacts struct {
	diags.End
	Peer     *diags.End        `json:"peer,omitempty"`
	Read     time.Time         `json:"read"`
	Counters []counterFacts    `json:"counters,omitempty"`
	Traffic  map[string]uint64 `json:"traffic,omitempty"`
}

// counterFacts are a counter beyond its threshold.
type counterFacts struct {
	Counter   string            `json:"counter"`
	Value     uint64            `json:"value"`
	Threshold uint64            `json:"threshold"`
	Saturated bool              `json:"saturated"`
	Details   map[string]uint64 `json:"details,omitempty"`
}

// unread is a port, or an attribute of one, that could not be read.
type unread struct {
	diags.End
	Attribute string `json:"attribute,omitempty"`
	Error     string `json:"error"`
}

func (s *session) document() *document {
	d := &s.found
	d.Thresholds, d.Suppressed, d.Summary = map[string]uint64{}, []string{}, s.sum
	for c := range s.given.All() {
		d.Thresholds[c.Field()] = s.thresholds[c]
	}
	for _, name := range s.suppressed {
		if c, ok := counters.ByName(name); ok {
			d.Suppressed = append(d.Suppressed, c.Field())
		}
	}
	d.Sums, d.Ports, d.Unread = orEmpty(d.Sums), orEmpty(d.Ports), orEmpty(d.Unread)
	return d
}

func orEmpty[T any](list []T) []T { return append([]T{}, list...) }

// note keeps what was found at a node for the document.
func (c *collection) note(r *report) {
	if r.sums != nil {
		c.found.Sums = append(c.found.Sums, c.facts(r.sums))
	}
	c.found.Planned = append(c.found.Planned, r.plans...)
	for _, s := range r.ports {
		c.found.Ports = append(c.found.Ports, c.facts(s))
	}
}

func (c *collection) facts(s *counters.Sample) portFacts {
	f := portFacts{End: diags.EndOf(s.Node, s.Num, c.names), Read: s.After.UTC().Round(time.Millisecond)}
	if p := s.Port(); p != nil && p.Remote() != nil {
		peer := diags.EndOf(p.Remote().Node(), p.Remote().Num(), c.names)
		f.Peer = &peer
	}
	for counter := range c.beyond(s).All() {
		facts := counterFacts{
			Counter: counter.Field(), Value: s.Values[counter], Threshold: c.thresholds[counter],
			Saturated: s.Saturated.Has(counter),
		}
		for _, d := range details(s, counter) {
			if facts.Details == nil {
				facts.Details = map[string]uint64{}
			}
			facts.Details[d.field] = d.value
		}
		f.Counters = append(f.Counters, facts)
	}
	if c.asked["counters"] || c.asked["data"] {
		f.Traffic = traffic(s)
	}
	return f
}

// traffic are the data counters: as they are on the wire, and in bytes.
func traffic(s *counters.Sample) map[string]uint64 {
	m := map[string]uint64{}
	for c := range (s.Has & counters.Traffic).All() {
		m[c.Field()] = s.Values[c]
	}
	if n, ok := s.XmitBytes(); ok {
		m["xmit_bytes"] = n
	}
	if n, ok := s.RcvBytes(); ok {
		m["rcv_bytes"] = n
	}
	return m
}

// noteUnread keeps what could not be read for the document.
func (c *collection) noteUnread(p *counters.Problem) {
	if !c.JSON {
		return
	}
	u := unread{End: diags.EndOf(p.Node, p.Port, c.names), Error: p.Err.Error()}
	if p.Attr != 0 {
		u.Attribute = attr.Name(mad.ClassPerf, p.Attr)
	}
	c.found.Unread = append(c.found.Unread, u)
}
