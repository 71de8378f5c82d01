package config

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/watch"
)

// everything has each key once.
const everything = `
fabrics:
  - name: compute
    source: umad:mlx5_0
    node_name_map: /etc/ibscope/names
    refresh: 20s
    verify: {every: 2h, deadline: 10m}
    counters: off
    tables: {every: 3h, deadline: 1m}
    level: quick
    rate: 5000
    max_outstanding: 64
    timeout: 250ms
    retries: 0
    m_key: 0x17
  - source: umad:mlx5_1/2
listen: [127.0.0.1:9805, "[::1]:9805"]
web_config: web.yml
tokens: tokens
public: [/healthz]
hosts: [fabric.example]
open: true
limits: {requests: 10, per_client: 5, streams: 2}
state: /var/lib/ibscope
user: ibscope
allow_resets: true
routes: true
log_level: debug
events:
  kept: 500
  flap_count: 4
  flap_window: 5m
  thresholds: {SymbolErrorCounter: 20, PortXmitDiscards: off}
  error_window: 30m
history:
  keep: false
  max_size: 2GiB
  events: 365d
  snapshots: 30d
  rates: {passes: 1h, five_minutes: 1d, hours: 10d, days: 100d}
metrics:
  compat: [treydock, node]
  max_series: 1000
  textfile: ib.prom
  details: off
webhooks:
  - name: chat
    url: https://chat.example/hook
    secret: key
    kinds: [link-down]
    severity: warning
    fabrics: [compute]
fleet: {nats: "nats://127.0.0.1:4222", credentials: creds, share: true, name: one}
`

func TestRead(t *testing.T) {
	got, err := Read(strings.NewReader(everything), "serve.yaml")
	if err != nil {
		t.Fatal(err)
	}
	limits := event.DefaultLimits()
	limits.Set(counters.SymbolErrors, 20)
	limits.Drop(counters.XmitDiscards)
	const day = 24 * time.Hour
	want := &Config{
		Fabrics: []Fabric{
			{
				Name: "compute", Source: "umad:mlx5_0", Names: "/etc/ibscope/names", Refresh: watch.Pace{Every: 20 * time.Second},
				Verify: watch.Pace{Every: 2 * time.Hour, Deadline: 10 * time.Minute}, Counters: watch.Pace{Every: -1}, Tables: watch.Pace{Every: 3 * time.Hour, Deadline: time.Minute}, Level: discover.Quick,
				Rate: 5000, MaxOutstanding: 64, Timeout: 250 * time.Millisecond, Retries: -1, MKey: 0x17,
			},
			{Name: "mlx5_1-2", Source: "umad:mlx5_1/2"},
		},
		Listen: []string{"127.0.0.1:9805", "[::1]:9805"}, WebConfig: "web.yml", Tokens: "tokens", Public: []string{"/healthz"}, Hosts: []string{"fabric.example"},
		Open: true, Limits: Limits{Requests: 10, PerClient: 5, Streams: 2}, State: "/var/lib/ibscope", User: "ibscope", AllowResets: true, Routes: true, Level: slog.LevelDebug,
		Events:  Events{Kept: 500, FlapCount: 4, FlapWindow: 5 * time.Minute, Thresholds: limits, ErrorWindow: 30 * time.Minute},
		History: History{Off: true, MaxBytes: 2 << 30, Events: 365 * day, Snapshots: 30 * day, Passes: time.Hour, Minutes: day, Hours: 10 * day, Days: 100 * day},
		Metrics: Metrics{Compat: []string{"treydock", "node"}, MaxSeries: 1000, Textfile: "ib.prom", Details: new(bool)},
		Webhooks: []Webhook{{
			Name: "chat", URL: "https://chat.example/hook", Secret: "key", Kinds: []string{"link-down"}, Severity: "warning", Fabrics: []string{"compute"},
		}},
		Fleet: Fleet{URL: "nats://127.0.0.1:4222", Credentials: "creds", Share: true, Name: "one"},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(threshold.Limits{}), cmpopts.IgnoreUnexported(Config{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
}

// TestMistakes tells where each is.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "f:1:1: found nothing, expected a configuration",
		"[]":                                  "f:1:1: found \"a list\", expected a mapping with some of fabrics",
		"fabrics: [":                          "f:2:1: this is not YAML: ",
		"listen: 127.0.0.1:9805\nlisten: x:1": "f:2:1: listen is there twice",
		"fabric: []":                          "f:1:1: found \"fabric\", expected one of fabrics",
		"fabrics:\n  - name: A\n    source: 'umad:'":      "f:2:11: found \"A\", expected a word of a-z, 0-9, _ and -",
		"fabrics:\n  - name: a":                           "f:2:5: a fabric without a source",
		"fabrics: [{source: 'umad:'}, {source: 'umad:'}]": "f:1:30: two fabrics are called fabric: give each a name",
		"fabrics: [{source: 'umad:', refresh: 10}]":       "f:1:38: found \"10\", expected a time as 30s, 5m or 1h, 100ms to 366d, or off",
		"fabrics: [{source: 'umad:', refresh: 1ms}]":      "f:1:38: found \"1ms\", expected a time as 30s",
		"fabrics: [{source: 'umad:', refresh: [1s]}]":     "f:1:38: found \"a list\", expected a time",
		"fabrics: [{source: 'umad:', rate: 0}]":           "f:1:35: found \"0\", expected requests a second",
		"listen: 9805":                                    "f:1:9: found \"9805\", expected an address as 127.0.0.1:9805",
		"listen: 127.0.0.1:70000":                         "f:1:9: found \"127.0.0.1:70000\", expected an address",
		"fabrics: [{source: 'umad:', refresh: 0s}]":       "f:1:38: found \"0s\", expected a time as 30s",
		"fabrics: [{source: 'umad:', refresh: -1s}]":      "f:1:38: found \"-1s\", expected a time as 30s",
		"fabrics: [{source: 'umad:', verify: 20000h}]":    "f:1:37: found \"20000h\", expected a time as 30s",
		"fabrics: [{source: 'umad:', rate: .nan}]":        "f:1:35: found \".nan\", expected requests a second",
		"fabrics: [{source: 'umad:', rate: NaN}]":         "f:1:35: found \"NaN\", expected requests a second",
		"fabrics: [{source: ~}]":                          "f:1:20: found nothing, expected the URI of a fabric",
		"fabrics:":                                        "f:1:9: found nothing, expected a list of fabrics",
		"tokens: null":                                    "f:1:9: found nothing, expected a file",
		"open: ~":                                         "f:1:7: found nothing, expected true or false",
		"listen: ['127.0.0.1:1', '127.0.0.1:1']":          "f:1:25: 127.0.0.1:1 is there twice",
		"hosts: ['a:80']":                                 "f:1:9: found \"a:80\", expected the name of a host, without a port",
		"hosts: [a, a]":                                   "f:1:12: a is there twice",
		"public: [/a*b]":                                  "f:1:10: found \"/a*b\", expected a path",
		"public: [/../x]":                                 "f:1:10: found \"/../x\", expected a path",
		"events: {flap_window: 0s}":                       "f:1:23: found \"0s\", expected a time as 30s, 5m, 12h or 90d, 1s to 31d",
		"events: {error_window: 40d}":                     "f:1:24: found \"40d\", expected a time as 30s",
		"events: {thresholds: {SymbolErrorCounter: 1, symbolerrorcounter: 2}}": "f:1:46: symbolerrorcounter is there twice",
		"history: {max_size: 10}":                           "f:1:21: found \"10\", expected a size as 512MiB or 4GiB, at least 1MiB",
		"history: {rates: {passes: 30s}}":                   "f:1:27: found \"30s\", expected a time",
		"metrics: {textfile: /x}":                           "f:1:21: found \"/x\", expected a file that ends in .prom",
		"metrics: {compat: [node, node]}":                   "f:1:26: node is there twice",
		"webhooks: [{url: 'http://x', kinds: []}]":          "f:1:37: found an empty list, expected kinds of events, or no such key for all",
		"webhooks: [{url: 'http://x', fabrics: []}]":        "f:1:39: found an empty list, expected names of fabrics",
		"webhooks: [{url: 'http://x', kinds: [link-dwon]}]": "f:1:38: found \"link-dwon\", expected one of link-down, link-idle, ",
		"webhooks: [{url: 'http://x', severity: fatal}]":    "f:1:40: found \"fatal\", expected info, warning or critical",
		"fleet: {nats: 'http://x'}":                         "f:1:15: the scheme \"http\" is neither nats nor tls, expected addresses of NATS",
		"fleet: {nats: 'nats://u:secret@'}":                 "f:1:15: nats:// without a host, expected addresses of NATS",
		"fleet: {nats: [a]}":                                "f:1:15: found \"a list\", expected addresses of NATS",
		"<<: {open: true}":                                  "f:1:1: found \"<<\", expected one of fabrics, ",
		"public: [healthz]":                                 "f:1:10: found \"healthz\", expected a path that begins with /",
		"limits: {requests: 0}":                             "f:1:20: found \"0\", expected a number, 1 to 10000",
		"events: {thresholds: {Nothing: 1}}":                "f:1:23: found \"Nothing\", expected a counter of errors",
		"events: {thresholds: {SymbolErrorCounter: -1}}":    "f:1:43: found \"-1\", expected a number, or off",
		"history: {max_size: 1GB}":                          "f:1:21: found \"1GB\", expected a size as 512MiB or 4GiB",
		"history: {max_size: 99999999999TiB}":               "f:1:21: found \"99999999999TiB\", expected a size",
		"history: {events: 1000000d}":                       "f:1:19: found \"1000000d\", expected a time as 30s, 5m, 12h or 90d",
		"metrics: {compat: [nobody]}":                       "f:1:20: found \"nobody\", expected one of treydock, node, guilbaults",
		"webhooks: [{name: a}]":                             "f:1:12: a webhook without a url",
		"webhooks: [{url: ftp://x}]":                        "f:1:18: found \"ftp://x\", expected a URL with http or https",
		"open: perhaps":                                     "f:1:7: found \"perhaps\", expected true or false",
		"log_level: loud":                                   "f:1:12: found \"loud\", expected debug, info, warn or error",
		"open: true\n---\nopen: false":                      "f:2:1: found a second document, expected one",
		"state: ''":                                         "f:1:8: found nothing, expected a directory",
		strings.Repeat("#", maxFile+1):                      "f:1:1: the file has more than 1048576 bytes",
	} {
		_, err := Read(strings.NewReader(text), "f")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60q:\n got %v\nwant %s", text, err, want)
		}
		if !errors.Is(err, os.ErrInvalid) {
			t.Errorf("%.60q: %v is no os.ErrInvalid", text, err)
		}
	}
}

// TestUnknownFabrics: a webhook for a fabric that nobody watches would be silent for ever.
// The flags may add fabrics to those of a file, so that it is known only then.
func TestUnknownFabrics(t *testing.T) {
	const text = "fabrics: [{name: rail1, source: 'umad:'}, {name: rail2, source: 'umad:mlx5_1'}]\nwebhooks:\n- url: http://x\n  fabrics: [rail1, rial2]\n"
	c, err := Read(strings.NewReader(text), "f")
	if err != nil {
		t.Fatal(err)
	}
	c.Complete()
	err = c.Check()
	if want := `f:4:20: found "rial2", expected the name of a fabric: rail1, rail2`; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if !errors.Is(err, os.ErrInvalid) {
		t.Errorf("%v is no os.ErrInvalid", err)
	}
	c.Fabrics = append(c.Fabrics, Fabric{Name: "rial2", Source: "umad:mlx5_2"}) // as a flag does
	if err := c.Check(); err != nil {
		t.Error(err)
	}
}

// TestSamePort: a port that is named twice would be asked everything twice.
func TestSamePort(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		ok   bool
	}{
		{"umad:mlx5_0", "umad:mlx5_0", false},
		{"umad", "umad:", false},
		{"umad:mlx5_0", "umad:mlx5_1", true},
		{"umad:mlx5_0/1", "umad:mlx5_0/2", true},
		{"sim:star?hosts=3", "sim:star?hosts=3", true},
	} {
		c := &Config{Fabrics: []Fabric{{Name: "a", Source: tt.a}, {Name: "b", Source: tt.b}}}
		c.Complete()
		if err := c.Check(); (err == nil) != tt.ok {
			t.Errorf("%s and %s: %v", tt.a, tt.b, err)
		}
	}
}

// TestManyMistakes are told at once, but not without end.
func TestManyMistakes(t *testing.T) {
	text := "opens: 1\nlisten: x\n" + strings.Repeat("zzz: 1\n", 100)
	_, err := Read(strings.NewReader(text), "f")
	if n := strings.Count(err.Error(), "; ") + 1; n != maxMistakes || strings.Contains(err.Error(), "\n") {
		t.Errorf("%d mistakes are told:\n%v", n, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(everything)
	f.Add("fabrics: [{source: 'sim:star?hosts=3', counters: {every: 1s}}]\n# é\n")
	f.Add("a: &x [*x]\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Read(strings.NewReader(text), "f")
		switch {
		case err == nil:
			for _, one := range c.Fabrics {
				if !IsName(one.Name) || one.Source == "" {
					t.Errorf("fabric %q of %q", one.Name, one.Source)
				}
			}
		case strings.ContainsAny(err.Error(), "\x1b\x00"):
			t.Errorf("%q", err)
		}
	})
}

func TestNameOf(t *testing.T) {
	for uri, want := range map[string]string{
		"umad:": "fabric", "umad": "fabric", "umad:mlx5_0": "mlx5_0", "umad:mlx5_0/1": "mlx5_0-1", "sim:fattree?levels=2": "fattree",
		"sim:dragonfly+?groups=3": "dragonfly", "file:/var/lib/a b/Big Snapshot.json": "big-snapshot-json", "ibsim:host:7070": "host-7070",
		"file:" + strings.Repeat("x", 200): strings.Repeat("x", 63), "sim:\x1b[31m": "31m",
	} {
		if got := NameOf(uri); got != want || !IsName(got) {
			t.Errorf("%q: %q, want %q", uri, got, want)
		}
	}
	for text, want := range map[string]Fabric{
		"rail1=umad:mlx5_1": {Name: "rail1", Source: "umad:mlx5_1"}, "umad:mlx5_1": {Name: "mlx5_1", Source: "umad:mlx5_1"},
		"sim:fattree?levels=2&radix=8": {Name: "fattree", Source: "sim:fattree?levels=2&radix=8"},
	} {
		if got, err := ParseFabric(text); err != nil || got != want {
			t.Errorf("%q: %+v %v", text, got, err)
		}
	}
}

// TestNoName: what stands before a = is told to be no name.
func TestNoName(t *testing.T) {
	for _, text := range []string{"A=umad:", "my fabric=umad:mlx5_0", "=umad:"} {
		if got, err := ParseFabric(text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestWebhookNames: the name of a webhook, which is shown, has nothing of its URL but the
// host.
func TestWebhookNames(t *testing.T) {
	seen := map[string]bool{}
	for _, url := range []string{
		"https://chat.example", "https://chat.example/services/T0/SECRET", "https://chat.example/services/T0/OTHER",
		"https://chat.example/?key=secret", "https://bob:secret@chat.example/hook", "https://" + strings.Repeat("long.", 60) + "example/secret",
	} {
		w := Webhook{URL: url}
		w.complete()
		if !IsName(w.Name) || seen[w.Name] || strings.Contains(w.Name, "secret") {
			t.Errorf("%s is called %q", url, w.Name)
		}
		seen[w.Name] = true
	}
}

// TestDoors refuses to tell everybody everything.
func TestDoors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	nobody := file("nobody", "rate_limit:\n  interval: 1s\n  burst: 5\n")
	passwords := file("passwords", "basic_auth_users:\n  bob: $2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi\n")
	for _, tt := range []struct {
		c  Config
		ok bool
	}{
		{Config{}, true},
		{Config{Listen: []string{"localhost:1"}}, true},
		{Config{Listen: []string{"127.9.9.9:1", "[::1]:2"}}, true},
		{Config{Listen: []string{":9805"}}, false},
		{Config{Listen: []string{"0.0.0.0:9805"}}, false},
		{Config{Listen: []string{"127.0.0.1:1", "fabric.example:1"}}, false},
		{Config{Listen: []string{":9805"}, Open: true}, true},
		{Config{Listen: []string{":9805"}, Tokens: "file"}, true},
		{Config{Listen: []string{":9805"}, WebConfig: nobody}, false},
		{Config{Listen: []string{":9805"}, WebConfig: passwords}, true},
		{Config{Listen: []string{":9805"}, WebConfig: dir + "/none"}, false},
	} {
		tt.c.Complete()
		if err := tt.c.Check(); (err == nil) != tt.ok {
			t.Errorf("%v, web %q: %v", tt.c.Listen, tt.c.WebConfig, err)
		}
	}
}
