package config

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/watch"
)

// Config is a configuration. The zero value has no fabrics; Complete fills in defaults.
type Config struct {
	Fabrics []Fabric // each with a name of its own

	Listen    []string // addresses as "127.0.0.1:9805"
	WebConfig string   // a file as all exporters of Prometheus have it: TLS, passwords; "" for none
	Tokens    string   // a file of tokens; "" for none
	Public    []string // paths that need no token
	Hosts     []string // names by which clients may call the service
	Open      bool     // it may listen beyond the loopback address to who has no token
	Limits    Limits

	State       string // a directory for what is to outlive the service; "" for nothing
	User        string // to become once the ports are open; "" to stay who one is
	AllowResets bool   // counters may be reset
	Routes      bool   // snapshots and history have forwarding tables
	Level       slog.Level

	Events  Events
	History History
	Metrics Metrics

	Webhooks []Webhook
	Fleet    Fleet

	mentions []mention // of fabrics, in a file
}

// Fabric is a fabric to watch.
type Fabric struct {
	Name   string // a word of a-z, 0-9, _ and -
	Source string // URI
	Names  string // a file of names for nodes; "" for none

	Refresh, Verify, Counters watch.Pace
	Tables                    watch.Pace // of forwarding tables; 0 stands for each hour
	Level                     discover.Level

	Rate           float64       // requests a second, 0 for no limit
	MaxOutstanding int           // requests at once, 0 for as many as the fabric takes
	Timeout        time.Duration // 0 for what fits the fabric
	Retries        int
	MKey           uint64
}

// Limits are what clients may ask at once. 0 stands for the default.
type Limits struct {
	Requests  int // all clients together
	PerClient int // one address
	Streams   int // streams of events, of one address
}

// Events are when something is worth an event. What is zero has the default.
type Events struct {
	Kept        int // in memory
	FlapCount   int
	FlapWindow  time.Duration
	Thresholds  *threshold.Limits // in an ErrorWindow; nil for the defaults
	ErrorWindow time.Duration
}

// Equal reports whether events are found by the same rules.
func (e *Events) Equal(o *Events) bool { return reflect.DeepEqual(e, o) }

// History is how long what is kept, in State. What is zero has the default.
type History struct {
	Off       bool
	MaxBytes  int64
	Events    time.Duration
	Snapshots time.Duration
	Passes    time.Duration // rates of each pass
	Minutes   time.Duration // of five minutes
	Hours     time.Duration // of an hour
	Days      time.Duration // of a day
}

// Metrics are what a scrape gets beside the names of its own.
type Metrics struct {
	Compat    []string // names of the sets of other exporters
	MaxSeries int      // of a fabric in a set; 0 for the default
	Textfile  string   // a file for node_exporter; "" for none
	Details   *bool    // read details of errors; nil: where Compat has an exporter that does
}

// Webhook is where events are sent to.
type Webhook struct {
	Name     string   // of its queue
	URL      string   //
	Secret   string   // a file with the key that deliveries are signed with; "" for none
	Kinds    []string // of events; none is all
	Severity string   // the least; "" for all
	Fabrics  []string // none is all
}

// Fleet is where other collectors of the same fabrics are met; URL "" for none.
type Fleet struct {
	URL         string // of NATS
	Credentials string // a file; "" for none
	Share       bool   // share the counters of fabrics among the collectors
	Name        string // of this collector; "" for that of the host
}

// Defaults.
const (
	DefaultListen  = "127.0.0.1:9805"
	defaultKept    = 10_000
	defaultFabric  = "fabric"
	defaultWebhook = "webhook"
	longestName    = 63
	mostFabrics    = 64
	mostWebhooks   = 64
	longestTimeout = time.Hour
)

// DefaultPublic are the paths that need no token unless the configuration says so.
var DefaultPublic = []string{"/healthz", "/readyz"}

// Complete fills in what is not said.
func (c *Config) Complete() {
	if len(c.Listen) == 0 {
		c.Listen = []string{DefaultListen}
	}
	if c.Public == nil {
		c.Public = DefaultPublic
	}
	if c.Events.Kept <= 0 {
		c.Events.Kept = defaultKept
	}
	for i := range c.Webhooks {
		c.Webhooks[i].complete()
	}
}

// complete gives a webhook a name: that of the host. What else is in a URL may be a
// secret, as with chats, and the name is shown; of that it has a hash, so that two URLs
// of a host have two names.
func (w *Webhook) complete() {
	u, err := url.Parse(w.URL)
	if err != nil || w.Name != "" {
		return
	}
	w.Name = word(u.Host, defaultWebhook)
	if rest := strings.Trim(u.RequestURI(), "/"); rest != "" {
		hash := sha256.Sum256([]byte(rest))
		const digits = 8
		w.Name = word(u.Host[:min(len(u.Host), longestName-digits-1)], defaultWebhook) + "-" + hex.EncodeToString(hash[:])[:digits]
	}
}
