package doctest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/testenv"
)

// service is a service that runs in this process.
type service struct {
	mu  sync.Mutex
	log bytes.Buffer
	url string
}

func (s *service) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(b)
}

// message is a field of the first message that has a text, "" if there is none.
func (s *service) message(text, field string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range bytes.Lines(s.log.Bytes()) {
		var m map[string]any
		if json.Unmarshal(line, &m) == nil && m["msg"] == text {
			v, _ := m[field].(string)
			return v
		}
	}
	return ""
}

// startService runs a command line that serves, at a port of its own.
func startService(t *testing.T, args []string) *service {
	t.Helper()
	s := &service{}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int, 1)
	go func() {
		done <- cli.Run(ctx, &env.Env{
			Args: append(args, "--listen", "127.0.0.1:0"), Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: s,
			Getenv: func(string) string { return "" }, Now: time.Now, IsTerminal: func(any) bool { return false },
			Version: "test", DiagConfig: os.DevNull,
		})
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != env.OK {
			t.Errorf("%q: exit code %d", args, code)
		}
	})
	for s.message("ready", "program") == "" {
		select {
		case code := <-done:
			done <- code
			t.Fatalf("%q: exit code %d\n%s", args, code, s.log.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	s.url = "http://" + s.message("answering", "address")
	for code := 0; code != http.StatusOK; time.Sleep(10 * time.Millisecond) {
		code = ask(t, s.url+"/readyz")
	}
	return s
}

// ask gives the status of an answer.
func ask(t *testing.T, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

// TestServeQuickStart starts the service as docs/serve.md does and asks all that it asks.
func TestServeQuickStart(t *testing.T) {
	text := read(t, "docs/serve.md")
	first := regexp.MustCompile(`(?m)^ibscope serve .*sim:.*$`).FindString(text)
	s := startService(t, words(first))
	asked := regexp.MustCompile(`(?m)^curl .*$`).FindAllString(text, -1)
	if len(asked) < 5 {
		t.Fatalf("found only %d questions", len(asked))
	}
	for _, line := range asked {
		list := words(line)
		url := strings.Replace(list[len(list)-1], "http://127.0.0.1:9805", s.url, 1)
		if code := ask(t, url); code != http.StatusOK {
			t.Errorf("%s: %d", line, code)
		}
	}
}

// TestServePaths makes sure that docs/serve.md has all paths of the API.
func TestServePaths(t *testing.T) {
	text := read(t, "docs/serve.md")
	for path := range api.Document()["paths"].(map[string]any) {
		path = strings.TrimPrefix(path, api.Prefix)
		if !regexp.MustCompile("`" + regexp.QuoteMeta(path) + "[`?]").MatchString(text) {
			t.Errorf("docs/serve.md does not have %s", path)
		}
	}
}

// TestServeFlags compares the flags in docs/serve.md with those that there are.
func TestServeFlags(t *testing.T) {
	text := read(t, "docs/serve.md")
	help := run(t, []string{"ibscope", "serve", "--help"})
	flags := regexp.MustCompile(`(?m)^ +--([a-z.-]+) `).FindAllStringSubmatch(help, -1)
	if len(flags) < 10 {
		t.Fatalf("found only %d flags in\n%s", len(flags), help)
	}
	for _, m := range regexp.MustCompile("`(?:ibscope serve )?--([a-z.-]+)").FindAllStringSubmatch(text, -1) {
		if name := m[1]; name != "network" && !strings.Contains(help, " --"+name+" ") {
			t.Errorf("docs/serve.md has --%s, which is no flag of ibscope serve", name)
		}
	}
}

// TestServeConfiguration reads the file of docs/serve.md, and makes sure that it has
// every key that there is.
func TestServeConfiguration(t *testing.T) {
	text := regexp.MustCompile("(?s)```yaml\n# serve.yaml\n(.*?)```").FindStringSubmatch(read(t, "docs/serve.md"))
	if text == nil {
		t.Fatal("docs/serve.md has no configuration")
	}
	c, err := config.Read(strings.NewReader(text[1]), "docs/serve.md")
	if err != nil {
		t.Fatal(err)
	}
	c.Complete()
	if len(c.Fabrics) != 2 || len(c.Webhooks) != 1 {
		t.Errorf("%+v", c)
	}
	for _, probe := range []string{
		"nothing: 1", "fabrics: [{nothing: 1, source: 'umad:'}]", "fabrics: [{source: 'umad:', refresh: {nothing: 1}}]", "limits: {nothing: 1}",
		"events: {nothing: 1}", "history: {nothing: 1}", "history: {rates: {nothing: 1}}", "metrics: {nothing: 1}",
		"webhooks: [{nothing: 1, url: 'http://x'}]", "fleet: {nothing: 1}",
	} {
		_, err := config.Read(strings.NewReader(probe), "f")
		if err == nil {
			t.Fatalf("%s is no mistake", probe)
		}
		_, list, found := strings.Cut(err.Error(), "expected one of ")
		if !found {
			t.Fatalf("%s: %v", probe, err)
		}
		for _, key := range strings.Split(list, ", ") {
			if !regexp.MustCompile(`(?m)(^|[ {-])`+key+`: `).MatchString(text[1]) && !strings.Contains(text[1], "\n"+key+":\n") {
				t.Errorf("the configuration in docs/serve.md does not have %s of %s", key, probe)
			}
		}
	}
}

// TestServeFigures compares the metrics of the service in docs/serve.md with those that
// there are.
func TestServeFigures(t *testing.T) {
	name := regexp.MustCompile("[`\"](ibscope_(?:http|history|webhook|fleet)_[a-z_]+)[`\"]")
	inDocument, inSource := map[string]bool{}, map[string]bool{}
	for _, m := range name.FindAllStringSubmatch(read(t, "docs/serve.md"), -1) {
		inDocument[m[1]] = true
	}
	for _, m := range name.FindAllStringSubmatch(read(t, "internal/service/figures.go")+read(t, "internal/service/fleetfigures.go"), -1) {
		inSource[m[1]] = true
	}
	if len(inSource) < 10 || !maps.Equal(inDocument, inSource) {
		t.Errorf("docs/serve.md has %v, the source %v", slices.Sorted(maps.Keys(inDocument)), slices.Sorted(maps.Keys(inSource)))
	}
}

// TestUnit has systemd look at the unit.
func TestUnit(t *testing.T) {
	testenv.Need(t, "systemd-analyze")
	unit := read(t, "contrib/systemd/ibscope-serve.service")
	const program = "ExecStart=/usr/bin/ibscope "
	if strings.Count(unit, program) != 1 {
		t.Fatalf("the unit does not start %s", program)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ibscope-serve.service")
	if err := os.WriteFile(path, []byte(strings.Replace(unit, program, "ExecStart="+self+" ", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", path).CombinedOutput(); err != nil || strings.Contains(string(out), path) {
		t.Errorf("%v\n%s", err, out)
	}
	// The threshold is ten times the exposure.
	if out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--threshold=20", path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
