package ping_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/ping"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// manyCPUs do not fit into a packet.
var manyCPUs = ping.Host{Name: "far.example", CPUs: make([]ping.CPU, 700)}

// between opens two hosts of a fabric, a client and its peer.
func between(t *testing.T, o *sim.Options) (client, server *sim.Port, to mad.Target) {
	t.Helper()
	f, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(f, o)
	if err != nil {
		t.Fatal(err)
	}
	var ports []*sim.Port
	for n := range f.Nodes() {
		if n.Type() == ib.NodeCA {
			p, err := s.Attach(n.Port(1))
			if err != nil {
				t.Fatal(err)
			}
			ports = append(ports, p)
		}
	}
	return ports[0], ports[1], mad.ByLID(ports[1].LID())
}

// serve runs a server until the test, or the bubble, ends it.
func serve(ctx context.Context, t *testing.T, s *ping.Server, port madrpc.Transport) (done chan error) {
	t.Helper()
	done = make(chan error, 1)
	go func() { done <- s.Serve(ctx, port) }()
	return done
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far, to := between(t, &sim.Options{Latency: 3 * time.Millisecond})
		ctx, cancel := context.WithCancel(t.Context())
		answered := 0
		s := &ping.Server{
			Class: openib.ClassPing, OUI: openib.OUI, Host: ping.Host{Name: "far.example"},
			Answered: func(mad.Addr, mad.AttrID) { answered++ },
		}
		done := serve(ctx, t, s, far)
		c := madrpc.New(near, nil)
		defer c.Close()
		var pongs []string
		o := ping.Options{OUI: openib.OUI, Count: 3, Pause: time.Second, Each: func(p ping.Pong, err error) {
			pongs = append(pongs, p.Host)
			if err != nil {
				t.Error(err)
			}
		}}
		got := ping.Run(t.Context(), c, to, &o)
		rtt := got.Min
		want := ping.Statistics{Host: "far.example", Sent: 3, Received: 3, Elapsed: 3*time.Second + 3*rtt, Min: rtt, Max: rtt, Total: 3 * rtt}
		if d := cmp.Diff(want, got); d != "" || rtt < 3*time.Millisecond || got.Mean() != rtt || got.LossPercent() != 0 {
			t.Errorf("mean %v, %s", got.Mean(), d)
		}
		if strings.Join(pongs, " ") != "far.example far.example far.example" || answered != 3 {
			t.Errorf("%q, %d answered", pongs, answered)
		}

		o = ping.Options{OUI: 5, Count: 3}
		got = ping.Run(t.Context(), c, to, &o)
		want = ping.Statistics{Sent: 3, Lost: 3, Elapsed: 12 * time.Second}
		if d := cmp.Diff(want, got); d != "" || got.LossPercent() != 100 || got.Mean() != 0 {
			t.Errorf("for another vendor: %s", d)
		}

		// It ends in the middle of a ping, which is neither lost nor received.
		short, end := context.WithTimeout(t.Context(), 5*time.Second)
		defer end()
		o.Count = 1000
		got = ping.Run(short, c, to, &o)
		if want := (ping.Statistics{Sent: 2, Lost: 1, Elapsed: 5 * time.Second}); !cmp.Equal(want, got) || got.LossPercent() != 50 {
			t.Errorf("interrupted: %+v", got)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("the server ended with %v", err)
		}
	})
}

func TestSysstat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far, to := between(t, &sim.Options{Latency: time.Millisecond})
		ctx, cancel := context.WithCancel(t.Context())
		for i := range manyCPUs.CPUs {
			manyCPUs.CPUs[i] = ping.CPU{Model: strings.Repeat("m", i%50), MHz: "2000"}
		}
		done := serve(ctx, t, &ping.Server{Class: openib.ClassSysstat, OUI: openib.OUI, Host: manyCPUs}, far)
		c := madrpc.New(near, nil)
		defer c.Close()
		for attr, want := range map[mad.AttrID]string{openib.AttrSysstatPing: "", openib.AttrSysstatHost: "far.example"} {
			if got, err := ping.Sysstat(t.Context(), c, to, attr, openib.OUI); err != nil || got != want {
				t.Errorf("%v: %q, %v", attr, got, err)
			}
		}
		text, err := ping.Sysstat(t.Context(), c, to, openib.AttrSysstatCPU, openib.OUI)
		lines := strings.Split(text, "\n")
		if err != nil || len(lines) != 701 || lines[649] != "cpu 649: model "+strings.Repeat("m", 49)+" MHZ 2000" {
			t.Errorf("%v, %d lines", err, len(lines))
		}
		if _, err := ping.Sysstat(t.Context(), c, to, 0x99, openib.OUI); !errors.Is(err, mad.StatusUnsupportedAttr) {
			t.Errorf("unknown attribute: %v", err)
		}
		cancel()
		<-done
		if _, err := ping.Sysstat(t.Context(), c, to, openib.AttrSysstatPing, openib.OUI); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("without a server: %v", err)
		}
	})
}

// TestLongReplyOverLoss: packets that get lost are asked for again.
func TestLongReplyOverLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far, to := between(t, &sim.Options{Latency: time.Millisecond, Loss: 0.02, Seed: 7})
		ctx, cancel := context.WithCancel(t.Context())
		done := serve(ctx, t, &ping.Server{Class: openib.ClassSysstat, OUI: openib.OUI, Host: manyCPUs}, far)
		c := madrpc.New(near, nil)
		defer c.Close()
		for range 5 {
			text, err := ping.Sysstat(t.Context(), c, to, openib.AttrSysstatCPU, openib.OUI)
			if err != nil || strings.Count(text, "\n") != 700 {
				t.Errorf("%v, %d lines", err, strings.Count(text, "\n"))
			}
		}
		cancel()
		<-done
	})
}

// picky does not take a class.
type picky struct{ madrpc.Transport }

var errTaken = errors.New("taken")

func (picky) Answer(mad.Class, uint32) error { return errTaken }

func TestServeFails(t *testing.T) {
	_, far, _ := between(t, nil)
	s := &ping.Server{Class: openib.ClassPing, OUI: openib.OUI}
	err := s.Serve(t.Context(), picky{far})
	var e *ping.Error
	if !errors.As(err, &e) || !errors.Is(err, errTaken) {
		t.Errorf("got %v", err)
	}
	if err := s.Serve(t.Context(), far); !errors.Is(err, os.ErrClosed) {
		t.Errorf("on a closed port: %v", err)
	}
}

func TestThisHost(t *testing.T) {
	proc := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(proc, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ping.ThisHost(proc); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without files: %v", err)
	}
	write("sys/kernel/hostname", "node7\n")
	write("sys/kernel/domainname", "(none)\n")
	if h, err := ping.ThisHost(proc); err != nil || h.Name != "node7.(none)" || h.CPUs != nil {
		t.Errorf("%+v, %v", h, err)
	}
	write("sys/kernel/domainname", "\n")
	write("cpuinfo", "processor\t: 0\nmodel name\t: A B\ncpu MHz\t\t: 1.5\n\nprocessor\t: 1\nmodel name\t: C\ncpu MHz\t\t: 2\n")
	want := ping.Host{Name: "node7", CPUs: []ping.CPU{{" A B", " 1.5"}, {" C", " 2"}}}
	if h, err := ping.ThisHost(proc); err != nil || !cmp.Equal(h, want) {
		t.Errorf("%+v, %v", h, err)
	}
}
