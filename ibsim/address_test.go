package ibsim

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

func TestLookUp(t *testing.T) {
	failure := errors.New("no such host")
	resolve := func(_ context.Context, host string) ([]string, error) {
		switch host {
		case "both":
			return []string{"::1", "127.0.0.2", "127.0.0.3"}, nil
		case "six":
			return []string{"::1"}, nil
		}
		return nil, failure
	}
	for _, test := range []struct {
		address string
		resolve Resolver
		want    string
		err     error
	}{
		{"127.0.0.1", nil, "127.0.0.1:7070", nil},
		{"10.0.255.1:99", nil, "10.0.255.1:99", nil},
		{"", nil, "0.0.0.0:7070", nil},
		{":8", nil, "0.0.0.0:8", nil},
		{"both", resolve, "127.0.0.2:7070", nil},
		{"both:1", resolve, "127.0.0.2:1", nil},
		{"both:1", nil, "", ErrUnresolved},
		{"10.0.0.256", nil, "", ErrUnresolved},
		{"10.0.0.01", nil, "", ErrUnresolved},
		{"10.0.0.1.2", nil, "", ErrUnresolved},
		{"10.0.0.", nil, "", ErrUnresolved},
		{"six", resolve, "", syscall.EADDRNOTAVAIL},
		{"other", resolve, "", failure},
		{"[::1]:7070", resolve, "", syscall.EAFNOSUPPORT},
		{"::1", resolve, "", syscall.EAFNOSUPPORT},
	} {
		at, err := lookUp(t.Context(), test.address, test.resolve)
		if !errors.Is(err, test.err) || err == nil && addressText(at) != test.want {
			t.Errorf("%q: %v, %v, want %q, %v", test.address, at, err, test.want, test.err)
		}
	}
	for _, port := range []string{"65536", "-1", "http", ""} {
		if _, err := lookUp(t.Context(), "127.0.0.1:"+port, nil); err == nil || !strings.Contains(err.Error(), "expected a number") {
			t.Errorf("port %q: %v", port, err)
		}
	}
}

// TestByName attaches to a simulator by the name of its host.
func TestByName(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net", testenv.IbsimUDP(t))
	_, port := splitAddress(sim.UDPAddr())
	o := &Options{Network: "udp", Address: "here:" + port}
	if _, err := Dial(t.Context(), o); !errors.Is(err, ErrUnresolved) || !strings.Contains(err.Error(), `"here"`) {
		t.Errorf("without a resolver: %v", err)
	}
	o.Resolve = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
	if c := dial(t, o); c.NodeID() != "h1" {
		t.Errorf("attached to %q", c.NodeID())
	}
}
