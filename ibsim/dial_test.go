package ibsim

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
)

func TestTenClients(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	taken := map[int]bool{}
	var conns []*Conn
	for i := range slots {
		c := dial(t, &Options{Name: sim.Name, Host: []string{"", "s1", "h2"}[i%3]})
		taken[c.Client()] = true
		conns = append(conns, c)
	}
	if len(taken) != slots {
		t.Errorf("%d clients share %d slots", slots, len(taken))
	}
	for _, host := range []string{"", "s1", "nowhere"} {
		if _, err := Dial(t.Context(), &Options{Name: sim.Name, Host: host}); !errors.Is(err, ErrNoSlot) {
			t.Errorf("eleventh client at %q: %v", host, err)
		}
	}
	for i, c := range conns { // all send before any receives
		req, to := nodeInfo(uint64(i))
		if err := c.Send(req, to, 0); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range conns {
		var in mad.Packet
		if _, err := c.Recv(&in); err != nil || in.TID() != uint64(i) {
			t.Errorf("client %d: TID %d, %v", i, in.TID(), err)
		}
	}
	conns[4].Close()
	if c := dial(t, &Options{Name: sim.Name}); c.Client() != conns[4].Client() {
		t.Errorf("got slot %d, free was %d", c.Client(), conns[4].Client())
	}
}

func TestDialErrors(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	long := strings.Repeat("x", nodeIDSize)
	for name, tc := range map[string]struct {
		ctx  context.Context
		o    Options
		want error
		says string
	}{
		"no server":     {t.Context(), Options{Name: sim.Name + "-none"}, syscall.ECONNREFUSED, "ibsim -s -n FILE"},
		"no UDP server": {t.Context(), Options{Network: "udp", Address: "127.0.0.1:9"}, syscall.ECONNREFUSED, "ibsim -s -n -r -l 9 FILE"},
		"bad host":      {t.Context(), Options{Name: sim.Name, Host: "nowhere"}, ErrNoNode, `"nowhere" is neither`},
		"long host":     {t.Context(), Options{Name: sim.Name, Host: long}, ErrNoNode, "31 bytes"},
		"long name":     {t.Context(), Options{Name: strings.Repeat("x", 108)}, syscall.ENAMETOOLONG, ""},
		"bad network":   {t.Context(), Options{Network: "tcp"}, nil, "tcp"},
		"canceled":      {canceled, Options{Name: sim.Name}, context.Canceled, ""},
	} {
		c, err := Dial(tc.ctx, &tc.o)
		if err == nil {
			c.Close()
			t.Errorf("%s: no error", name)
			continue
		}
		var typed *Error
		if !errors.As(err, &typed) || tc.want != nil && !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
		if text := err.Error(); !strings.Contains(text, tc.says) || strings.Contains(text, "\n") {
			t.Errorf("%s: %q does not say %q", name, text, tc.says)
		}
		t.Log(err)
	}
	dial(t, &Options{Name: sim.Name}) // no attempt has kept a slot or hurt the server
}

// TestNotAnswering gives up on a simulator that does not serve clients, as one
// before its command Start. That must do no harm to it.
func TestNotAnswering(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	if err := sim.Pause(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		_, err := Dial(ctx, &Options{Name: sim.Name})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "started") {
			t.Errorf("%v", err)
		}
	}
	warnings := sim.Stderr()
	sim.Resume()
	for range slots { // all slots are free, and the simulator lives
		dial(t, &Options{Name: sim.Name})
	}
	if more := sim.Stderr()[len(warnings):]; more != "" {
		t.Errorf("the simulator complains: %s", more)
	}
}
