package fleet

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ibscope/ibscope/internal/testenv"
)

// server is a nats-server of the test's own.
type server struct {
	t    *testing.T
	url  string
	port int
	dir  string
	cmd  *exec.Cmd
}

// anyPort has nats-server choose one, which is that of later starts too.
const anyPort = -1

// startServer starts Debian's nats-server with JetStream.
func startServer(t *testing.T) *server {
	t.Helper()
	s := &server{t: t, dir: t.TempDir(), port: anyPort}
	s.start()
	s.url = fmt.Sprintf("nats://127.0.0.1:%d", s.port)
	t.Cleanup(s.stop)
	return s
}

func (s *server) start() {
	s.t.Helper()
	out, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer out.Close()
	s.cmd = exec.Command(testenv.Tool(s.t, "nats-server"), "-js", "-sd", filepath.Join(s.dir, "data"), "-p", fmt.Sprint(s.port), "--ports_file_dir", s.dir)
	s.cmd.Stdout, s.cmd.Stderr = out, out
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	for range 500 {
		if s.port == anyPort {
			if _, port, err := net.SplitHostPort(testenv.NATSAddress(s.dir)); err == nil {
				s.port, _ = strconv.Atoi(port)
			}
		}
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port)); err == nil {
			c.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	s.t.Fatalf("nats-server does not listen: %s", text)
}

func (s *server) stop() {
	if s.cmd != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		s.cmd = nil
	}
}

// client is a connection of the test's own.
func (s *server) client() jetstream.JetStream {
	s.t.Helper()
	c, err := nats.Connect(s.url)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	if err != nil {
		s.t.Fatal(err)
	}
	return js
}

// stored lists the messages of the stream of events, with their data.
func (s *server) stored(js jetstream.JetStream) (list []jetstream.Msg) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Second)
	defer cancel()
	c, err := js.OrderedConsumer(ctx, StreamName, jetstream.OrderedConsumerConfig{})
	if err != nil {
		s.t.Fatal(err)
	}
	for {
		batch, err := c.FetchNoWait(1000)
		if err != nil {
			s.t.Fatal(err)
		}
		n := 0
		for m := range batch.Messages() {
			list = append(list, m)
			n++
		}
		if n == 0 {
			return list
		}
	}
}
