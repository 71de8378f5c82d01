package day

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
)

// serve starts a Prometheus that scrapes nobody on a store, and gives its URL. It ends
// with the test. A series is at its end when the next scrape does not have it, which a
// Prometheus that scrapes would have noted: it looks back no further than to the last one.
func serve(t *testing.T, store string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "prometheus.yml")
	if err := os.WriteFile(file, []byte("global: {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(testenv.Tool(t, "prometheus"), "--config.file="+file, "--storage.tsdb.path="+store,
		"--storage.tsdb.retention.time=100y", "--query.lookback-delta="+(every-time.Second).String(), "--web.listen-address=127.0.0.1:0")
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready, ended := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(ended)
		defer close(ready)
		address := ""
		for s := bufio.NewScanner(log); s.Scan(); {
			if m := listening.FindStringSubmatch(s.Text()); m != nil {
				address = m[1]
			}
			if address != "" && receiving.MatchString(s.Text()) {
				ready <- "http://" + address
				break
			}
		}
		io.Copy(io.Discard, log)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
		cmd.Wait()
	})
	url, ok := <-ready
	if !ok {
		t.Fatal("prometheus ended")
	}
	return url
}

var (
	listening = regexp.MustCompile(`msg="Listening on" address=(\S+)`)
	receiving = regexp.MustCompile(`Server is ready to receive web requests`)
)
