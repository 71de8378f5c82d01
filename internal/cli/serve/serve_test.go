package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/api"
)

const fabric = "sim:fattree?levels=2&radix=4&hosts=4"

// messages collects what the service tells.
type messages struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (m *messages) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.all.Write(b)
}

// find gives the last message that has a text, if there is one.
func (m *messages) find(text string) (found map[string]any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for line := range bytes.Lines(m.all.Bytes()) {
		if v := map[string]any{}; json.Unmarshal(line, &v) == nil && v["msg"] == text {
			found = v
		}
	}
	return found
}

func (m *messages) count(text string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Count(m.all.Bytes(), []byte(`"msg":"`+text+`"`))
}

// daemonTest is a service that runs as the command does.
type daemonTest struct {
	t      *testing.T
	log    messages
	cancel context.CancelFunc
	done   chan error
	url    string
}

// run runs the command and waits until it answers.
func run(t *testing.T, args ...string) *daemonTest {
	t.Helper()
	d := &daemonTest{t: t, done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	d.cancel = cancel
	go func() { d.done <- execute(ctx, io.Discard, &d.log, args...) }()
	for d.log.find("ready") == nil {
		select {
		case err := <-d.done:
			t.Fatalf("it ended with %v\n%s", err, d.log.all.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	d.url = fmt.Sprint("http://", d.log.find("answering")["address"])
	return d
}

// execute runs the command to its end.
func execute(ctx context.Context, stdout, stderr io.Writer, args ...string) error {
	c := Command(&env.Env{
		Args: []string{"ibscope"}, Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr, Version: "test",
		Getenv: func(string) string { return "" }, Now: time.Now, IsTerminal: func(any) bool { return false },
	})
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	return c.ExecuteContext(ctx)
}

// end ends the service as SIGTERM does.
func (d *daemonTest) end() {
	d.t.Helper()
	d.cancel()
	if err := <-d.done; err != nil {
		d.t.Errorf("it ended with %v", err)
	}
}

// get asks, and gives the status and the body.
func (d *daemonTest) get(path string, headers ...string) (int, string) {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, d.url+path, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// until waits for something.
func (d *daemonTest) until(is func() bool) {
	d.t.Helper()
	for !is() {
		select {
		case err := <-d.done:
			d.t.Fatalf("it ended with %v\n%s", err, d.log.all.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (d *daemonTest) isLive() bool {
	code, _ := d.get("/readyz")
	return code == http.StatusOK
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestServe starts with flags alone, answers, keeps history and ends.
func TestServe(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	d := run(t, "--fabric", "demo="+fabric, "--listen", "127.0.0.1:0", "--state", state, "--compat", "treydock", "--textfile", filepath.Join(t.TempDir(), "ib.prom"))
	d.until(d.isLive)
	for path, want := range map[string]string{
		"/": "<html", "/metrics": `fabric="demo"`, "/metrics/treydock": "infiniband_", "/healthz": "ok", api.Prefix + "/fabrics": `"name":"demo"`,
		api.Prefix + "/openapi.json": `"openapi":"3.1.0"`,
	} {
		if code, body := d.get(path); code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d %.200s", path, code, body)
		}
	}
	d.end()
	if info, err := os.Stat(filepath.Join(state, "history.db")); err != nil || info.Mode().Perm()&0o007 != 0 {
		t.Errorf("the history: %v %v", info, err)
	}
	if d.log.find("the end") == nil {
		t.Error("it does not say that it ends")
	}
}

// TestHangup takes on what a file says now, and refuses a mistake with its place.
func TestHangup(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "serve.yaml"), "listen: 127.0.0.1:0\nfabrics: [{name: a, source: '"+fabric+"'}]\n")
	d := run(t, "--config", file)
	defer d.end()
	d.until(d.isLive)
	hangup := func(text, message string) {
		t.Helper()
		before := d.log.count(message)
		write(t, file, text)
		if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		d.until(func() bool { return d.log.count(message) > before })
	}
	const taken, refused = "the configuration was taken on", "the configuration was not taken on"
	hangup("listen: 127.0.0.1:0\nfabrics: [{name: a, source: '"+fabric+"'}, {name: b, source: 'sim:ring?switches=3'}]\n", taken)
	if _, body := d.get(api.Prefix + "/fabrics"); strings.Count(body, `"name":`) < 2 {
		t.Errorf("after a hangup: %s", body)
	}
	hangup("listen: 127.0.0.1:0\nfabrics: [{name: a, source: '"+fabric+"'}]\nstate: "+dir+"\nfabrik: 1\n", refused)
	if told := fmt.Sprint(d.log.find(refused)["err"]); !strings.Contains(told, file+":4:1: ") {
		t.Errorf("the mistake: %s", told)
	}
	hangup("listen: 127.0.0.1:0\nfabrics: [{name: a, source: 'sim:nothing'}]\n", refused)
	if _, body := d.get(api.Prefix + "/fabrics/b"); !strings.Contains(body, `"name":"b"`) {
		t.Errorf("after a mistake: %s", body)
	}
	hangup("listen: 127.0.0.1:1\nfabrics: [{name: a, source: '"+fabric+"'}]\n", taken)
	if d.log.find("some of the configuration needs a new start") == nil {
		t.Error("it does not say what it cannot change")
	}
}

// TestTokens wants a token everywhere but where it is not wanted.
func TestTokens(t *testing.T) {
	tokens := write(t, filepath.Join(t.TempDir(), "tokens"), "bob correct-horse-battery-staple\n")
	d := run(t, "--fabric", fabric, "--listen", "127.0.0.1:0", "--token-file", tokens)
	defer d.end()
	d.until(d.isLive)
	for _, path := range []string{"/metrics", api.Prefix + "/fabrics", api.Prefix + "/events/stream", api.Prefix + "/openapi.json", "/nothing"} {
		if code, body := d.get(path); code != http.StatusUnauthorized || strings.Contains(body, "fattree") {
			t.Errorf("%s without a token: %d %s", path, code, body)
		}
	}
	for _, path := range []string{"/", "/app.js", "/app.css"} { // which asks for the token
		if code, body := d.get(path); code != http.StatusOK || strings.Contains(body, "fattree") {
			t.Errorf("%s without a token: %d", path, code)
		}
	}
	if code, body := d.get(api.Prefix+"/fabrics", "Authorization", "Bearer wrong-token-of-somebody"); code != http.StatusUnauthorized || !strings.Contains(body, "is not one of those") {
		t.Errorf("with a wrong token: %d %s", code, body)
	}
	if code, _ := d.get(api.Prefix+"/fabrics", "Authorization", "Bearer correct-horse-battery-staple"); code != http.StatusOK {
		t.Errorf("with the token: %d", code)
	}
}

// TestWebConfig has passwords before everything.
func TestWebConfig(t *testing.T) {
	file := write(t, filepath.Join(t.TempDir(), "web.yml"), "basic_auth_users:\n  bob: $2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi\n")
	d := run(t, "--fabric", fabric, "--listen", "127.0.0.1:0", "--web.config.file", file)
	defer d.end()
	r := http.Request{Header: http.Header{}}
	r.SetBasicAuth("bob", "fakepassword")
	for _, path := range []string{"/", "/metrics", "/healthz", api.Prefix + "/fabrics", api.Prefix + "/fabrics/fattree/map"} {
		if code, _ := d.get(path); code != http.StatusUnauthorized {
			t.Errorf("%s without a password: %d", path, code)
		}
	}
	if code, _ := d.get(api.Prefix+"/fabrics", "Authorization", r.Header.Get("Authorization")); code != http.StatusOK {
		t.Errorf("with the password: %d", code)
	}
}

// TestEndsStreams ends although a client follows the events.
func TestEndsStreams(t *testing.T) {
	d := run(t, "--fabric", fabric, "--listen", "127.0.0.1:0")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.url+api.Prefix+"/events/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	d.end()
	if _, err := io.ReadAll(answer.Body); err != nil {
		t.Errorf("the stream is cut off: %v", err)
	}
}

// TestRefuses ends at once with a message and an exit code.
func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--fabric", fabric, "--listen", ":0"}, env.Usage, "everybody there could read all"},
		{[]string{"--fabric", "sim:nothing"}, env.Usage, "nothing"},
		{[]string{"--fabric", "nothing:"}, env.Usage, "nothing"},
		{[]string{"--fabric", fabric + "&flap=nobody/3:4s", "--listen", "127.0.0.1:0"}, env.Usage, "nobody"},
		{[]string{"--fabric", fabric, "--fabric", fabric}, env.Usage, "two fabrics are called fattree"},
		{[]string{"--fabric", fabric, "--refresh", "sometimes"}, env.Usage, "--refresh"},
		{[]string{"--fabric", fabric, "--log-level", "loud"}, env.Usage, "--log-level"},
		{[]string{"--fabric", fabric, "--compat", "nobody"}, env.Usage, "nobody"},
		{[]string{"--fabric", fabric, "--webhook", "ftp://x"}, env.Usage, "ftp://x"},
		{[]string{"--fabric", fabric, "--token-file", dir + "/none"}, env.Failed, "none"},
		{[]string{"--fabric", fabric, "--user", "nobody-of-this-name", "--listen", "127.0.0.1:0"}, env.Usage, "nobody-of-this-name"},
		{[]string{"--check", "--fabric", fabric, "--user", "nobody-of-this-name"}, env.Usage, `user "nobody-of-this-name": not in /etc/passwd`},
		{[]string{"--check", "--fabric", "sim:nonsense"}, env.Usage, "nonsense"},
		{[]string{"--check", "--fabric", "sim:star?hosts=none"}, env.Usage, "hosts"},
		{[]string{"--check", "--fabric", "sim:star?loss=2"}, env.Usage, "loss"},
		{[]string{"--check", "--fabric", "file:" + dir + "/none.topo"}, env.Failed, "none.topo"},
		{[]string{"--check", "--fabric", "umad:mlx5_0/one"}, env.Usage, "expected a port number"},
		{[]string{"--check", "--fabric", fabric, "--nats", "http://host"}, env.Usage, `--nats: the scheme "http" is neither nats nor tls`},
		{[]string{"--check", "--fabric", fabric, "--nats", "nats://a,nats://"}, env.Usage, "--nats: nats:// without a host"},
		{[]string{"--check", "--fabric", fabric, "--nats", "nats://u:p@ho st"}, env.Usage, "--nats: it is no URL as nats://host:4222, expected"},
		{[]string{"--check", "--config", write(t, dir+"/creds", "fabrics: [{name: a, source: '"+fabric+"'}]\nfleet: {nats: a, credentials: "+dir+"/nobody.creds}\n")}, env.Failed, "credentials of fleet: "},
		{[]string{"--check", "--config", write(t, dir+"/empty", "fabrics: [{name: a, source: '"+fabric+"'}]\nfleet: {nats: a, credentials: /dev/null}\n")}, env.Usage, "/dev/null: it has not the token and the seed of a user"},
		{[]string{"--health", "ftp://127.0.0.1"}, env.Usage, "--health"},
		{[]string{"--health", "127.0.0.1:1"}, env.Failed, "http://127.0.0.1:1/healthz: "},
		{[]string{"--config", dir + "/none"}, env.Failed, "none"},
		{[]string{"--config", write(t, dir+"/bad", "fabrics: 7\n")}, env.Usage, dir + "/bad:1:10"},
		{[]string{"--fabric", fabric, "--listen", "192.0.2.1:1", "--open"}, env.Failed, "192.0.2.1"},
	} {
		err := execute(t.Context(), io.Discard, io.Discard, tt.args...)
		var exit *env.ExitError
		if !errors.As(err, &exit) || exit.Code != tt.code || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %d with %q", tt.args, err, tt.code, tt.want)
		}
	}
}

// TestOnce prints the metrics of one reading.
func TestOnce(t *testing.T) {
	var out bytes.Buffer
	if err := execute(t.Context(), &out, io.Discard, "--once", "--fabric", "demo="+fabric); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "# TYPE") || !strings.Contains(out.String(), `fabric="demo"`) {
		t.Errorf("%.500s", &out)
	}
	file := filepath.Join(t.TempDir(), "ib.prom")
	out.Reset()
	if err := execute(t.Context(), &out, io.Discard, "--once", "--fabric", "demo="+fabric, "--textfile", file); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || !bytes.Contains(text, []byte(`fabric="demo"`)) || out.Len() != 0 {
		t.Errorf("the file: %v, %d bytes; printed %q", err, len(text), &out)
	}
}

// TestHarmless: what is logged does nothing to a terminal, and durations have a unit.
func TestHarmless(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: harmless}))
	logger.Info("answered", "path", "\x1b[31m", "err", errors.New("\u202e"), "again", 32*time.Second)
	text := out.String()
	if strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, `"again":"32s"`) {
		t.Errorf("%s", text)
	}
}

// TestCheck looks for mistakes and opens nothing.
func TestCheck(t *testing.T) {
	var out bytes.Buffer
	var exit *env.ExitError
	if err := execute(t.Context(), &out, io.Discard, "--check", "--fabric", fabric, "--token-file", t.TempDir()+"/none"); !errors.As(err, &exit) || exit.Code != env.Failed {
		t.Errorf("tokens that are not there: %v %s", err, &out)
	}
	if err := execute(t.Context(), &out, io.Discard, "--check", "--fabric", "umad:nothing_0"); err != nil || !strings.Contains(out.String(), "no mistakes") {
		t.Errorf("%v %s", err, &out)
	}
}
