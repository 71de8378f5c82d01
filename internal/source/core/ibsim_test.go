package core

import (
	"context"
	"errors"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ibsim"
)

func TestIbsimOptions(t *testing.T) {
	env := map[string]string{}
	getenv := func(name string) string { return env[name] }
	for _, test := range []struct {
		uri  string
		env  map[string]string
		want ibsim.Options
	}{
		{"ibsim:", nil, ibsim.Options{}},
		{"ibsim", map[string]string{"IBSIM_SOCKNAME": "s", "SIM_HOST": "h"}, ibsim.Options{Name: "s", Host: "h"}},
		{"ibsim:n", map[string]string{"IBSIM_SOCKNAME": "s", "IBSIM_SERVER_NAME": "srv"}, ibsim.Options{Name: "n"}},
		{"ibsim:", map[string]string{"IBSIM_SOCKNAME": "s", "IBSIM_SERVER_NAME": "srv"}, ibsim.Options{Network: "udp", Address: "srv:7070"}},
		{"ibsim:", map[string]string{"IBSIM_SERVER_NAME": "srv", "IBSIM_SERVER_PORT": "1"}, ibsim.Options{Network: "udp", Address: "srv:1"}},
		{"ibsim:h:99", nil, ibsim.Options{Network: "udp", Address: "h:99"}},
		{"ibsim:udp:h:99", nil, ibsim.Options{Network: "udp", Address: "h:99"}},
		{"ibsim:unix:n", nil, ibsim.Options{Name: "n"}},
	} {
		u, err := Parse(test.uri)
		if err != nil {
			t.Fatal(err)
		}
		env = test.env
		got, err := ibsimOptions(u, getenv)
		if err != nil {
			t.Errorf("%s: %v", test.uri, err)
			continue
		}
		if diff := cmp.Diff(test.want, *got); diff != "" {
			t.Errorf("%s with %v (-want +got):\n%s", test.uri, test.env, diff)
		}
	}
}

// TestIbsimByName: a host's name goes to the others, and only that.
func TestIbsimByName(t *testing.T) {
	asked := ""
	failure := errors.New("asked")
	w := World{Getenv: noEnv, Others: func(scheme string) Opener {
		return func(_ context.Context, u *URI, _ *World) (*Source, error) {
			asked = scheme + " for " + u.Text
			return nil, failure
		}
	}}
	if _, err := w.Open(t.Context(), "ibsim:host:99"); !errors.Is(err, failure) || asked != "ibsim for ibsim:host:99" {
		t.Errorf("a name: %v, asked %q", err, asked)
	}
	asked = ""
	for _, uri := range []string{"ibsim:127.0.0.1:9", "ibsim:nobody-listens-here", "ibsim:udp:127.0.0.1:9"} {
		if _, err := w.Open(t.Context(), uri); !errors.Is(err, syscall.ECONNREFUSED) || asked != "" {
			t.Errorf("%s: %v, asked %q", uri, err, asked)
		}
	}
	for _, uri := range []string{"ibsim::9", "ibsim:h:", "ibsim:a:b:1", "ibsim:udp:h"} {
		if _, err := w.Open(t.Context(), uri); !errors.Is(err, ErrSyntax) || asked != "" {
			t.Errorf("%s: %v, asked %q", uri, err, asked)
		}
	}
	alone := World{Getenv: noEnv}
	if _, err := alone.Open(t.Context(), "ibsim:host:99"); !errors.Is(err, ibsim.ErrUnresolved) {
		t.Errorf("a name, and no others: %v", err)
	}
}
