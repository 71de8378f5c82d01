package capture

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/pcap"
)

// sink takes everything.
type sink struct{ closed int }

func (*sink) Send(*mad.Packet, mad.Addr, time.Duration) error { return nil }
func (*sink) Recv(*mad.Packet) (mad.Addr, error)              { return mad.Addr{}, os.ErrClosed }
func (s *sink) Close() error                                  { s.closed++; return nil }

func send(t *testing.T, to madrpc.Transport) {
	t.Helper()
	var p mad.Packet
	p.Init(mad.ClassPerf, mad.MethodGet, 0x12, 1)
	if err := to.Send(&p, mad.Addr{LID: 1}, 0); err != nil {
		t.Fatal(err)
	}
}

// interfaces is where each MAD of a capture was captured.
func interfaces(t *testing.T, name string) string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := pcap.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for {
		var record pcap.Record
		err := r.Next(&record)
		if errors.Is(err, io.EOF) {
			return strings.Join(list, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, record.Interface)
	}
}

// TestCapture opens several fabrics, at once and one after the other.
func TestCapture(t *testing.T) {
	var stderr bytes.Buffer
	c := Capture{File: filepath.Join(t.TempDir(), "x.pcapng")}
	if err := os.WriteFile(c.File, []byte("of before"), 0o600); err != nil {
		t.Fatal(err)
	}
	tap := c.Tap(&env.Env{Args: []string{"x"}, Stderr: &stderr})
	below := &sink{}
	first, second := tap("a", below), tap("b", below)
	send(t, first)
	send(t, second)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	send(t, second)
	second.Close()
	second.Close() // a second time changes nothing
	third := tap("c", below)
	send(t, third)
	third.Close()
	if got, want := interfaces(t, c.File), "a b b c"; got != want {
		t.Errorf("the capture is of %q, want %q", got, want)
	}
	if stderr.Len() > 0 || below.closed != 4 {
		t.Errorf("closed %d times, stderr %q", below.closed, &stderr)
	}
	if c.file != nil {
		t.Error("the file is still open")
	}
}

func TestKeysAreForTheOwner(t *testing.T) {
	c := Capture{File: filepath.Join(t.TempDir(), "x.pcapng")}
	c.Tap(&env.Env{})("a", &sink{}).Close()
	if fi, err := os.Stat(c.File); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", fi.Mode(), err)
	}
}

func TestNoCapture(t *testing.T) {
	if (*Capture)(nil).Tap(&env.Env{}) != nil || new(Capture).Tap(&env.Env{}) != nil {
		t.Error("something is captured without a file")
	}
}

// TestCannotWrite makes sure of one warning, whatever goes wrong how often.
func TestCannotWrite(t *testing.T) {
	for name, want := range map[string]string{
		"-":              "x: --pcap -: standard output is for the result; name a file or a pipe; nothing is captured\n",
		"/nonexistent/x": "x: --pcap: open /nonexistent/x: no such file or directory; nothing is captured\n",
		"/dev/full":      "x: --pcap: write /dev/full: no space left on device; the capture is not complete\n",
	} {
		if _, err := os.Stat("/dev/full"); err != nil {
			t.Skip("this system has no /dev/full")
		}
		var stderr bytes.Buffer
		c := Capture{File: name}
		tap := c.Tap(&env.Env{Args: []string{"x"}, Stderr: &stderr})
		for range 3 {
			below := &sink{}
			to := tap("a", below)
			send(t, to)
			if err := to.Close(); err != nil || below.closed != 1 {
				t.Errorf("%s: closed %d times, error %v", name, below.closed, err)
			}
		}
		if stderr.String() != want {
			t.Errorf("%s: stderr %q, want %q", name, &stderr, want)
		}
	}
}
