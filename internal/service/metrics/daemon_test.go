package metrics

import (
	"bufio"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
)

// daemon starts a program of Prometheus at a free port, waits until it listens, and
// gives its URL. It ends with the test.
func daemon(t *testing.T, tool string, args ...string) string {
	t.Helper()
	cmd := exec.Command(testenv.Tool(t, tool), append(args, "--web.listen-address=127.0.0.1:0")...)
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var tail lastLines
	address := make(chan string, 1)
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(address)
		for s := bufio.NewScanner(log); s.Scan(); {
			tail.add(s.Text())
			if m := listening.FindStringSubmatch(s.Text()); m != nil {
				select {
				case address <- m[1]:
				default:
				}
			}
		}
		io.Copy(io.Discard, log)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-read
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s:\n%s", tool, tail.text())
		}
	})
	at, ok := <-address
	if !ok {
		t.Fatalf("%s ended", tool)
	}
	return "http://" + at
}

var listening = regexp.MustCompile(`msg="Listening on" address=(\S+)`)

// lastLines are the last lines of a log.
type lastLines struct {
	mu    sync.Mutex
	lines []string
}

func (l *lastLines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == 30 {
		l.lines = l.lines[1:]
	}
	l.lines = append(l.lines, line)
}

func (l *lastLines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

// fetch gets a page.
func fetch(t testing.TB, url string) (string, error) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

// eventually repeats a check until it is content, and fails after a minute.
func eventually(t *testing.T, what string, check func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !check(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}
