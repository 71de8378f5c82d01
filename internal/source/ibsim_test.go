package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/source/core"
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
		u, err := core.Parse(test.uri)
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
