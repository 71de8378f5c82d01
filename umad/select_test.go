package umad

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/testenv"
)

// choices has the port that is expected for a device and port number.
type choices map[string]string

func TestPort(t *testing.T) {
	for _, test := range []struct {
		name string
		cas  []testenv.SysfsCA
		want choices // "" in place of an error
	}{
		{
			"first active",
			[]testenv.SysfsCA{hca("a", "2/5", "4/5"), hca("b", "4/5")},
			choices{"": "a/2", "a": "a/2", "/1": "b/1", "/2": "a/2", "a/1": "a/1", "/3": "ENODEV", "a/3": "EINVAL", "c": "ENODEV", "c/1": "ENODEV"},
		},
		{
			"the active one on the second device",
			[]testenv.SysfsCA{hca("a", "2/5"), hca("b", "1/2", "4/5")},
			choices{"": "b/2", "a": "a/1", "b": "b/2", "/1": "a/1"},
		},
		{
			"link up before polling",
			[]testenv.SysfsCA{hca("a", "1/2", "2/5"), hca("b", "1/2")},
			choices{"": "a/2", "a": "a/2", "b": "b/1", "/1": "a/1"},
		},
		{
			"link up on the second device",
			[]testenv.SysfsCA{hca("a", "1/2"), hca("b", "3/5")},
			choices{"": "b/1"},
		}, // libibumad: a/1, the first that is not disabled
		{
			"disabled",
			[]testenv.SysfsCA{hca("a", "1/3")},
			choices{"": "ENODEV", "a": "ENODEV", "/1": "ENODEV", "a/1": "a/1"},
		},
		{
			"RoCE before InfiniBand",
			[]testenv.SysfsCA{hca("a", "4/5e"), hca("b", "1/2")},
			choices{"": "b/1", "a": "a/1", "a/1": "a/1", "/1": "b/1"},
		}, // libibumad: a/1
		{
			"RoCE, and InfiniBand disabled",
			[]testenv.SysfsCA{hca("a", "4/5e", "1/3")},
			choices{"": "ENODEV", "a": "ENODEV", "/1": "a/1", "a/1": "a/1"},
		},
		{
			"RoCE alone",
			[]testenv.SysfsCA{hca("a", "1/3e"), hca("b", "1/2e", "4/5e")},
			choices{"": "b/2", "a": "ENODEV", "a/1": "a/1", "b/1": "b/1"},
		},
		{
			"switch",
			[]testenv.SysfsCA{{Name: "sw", NodeType: "2: Switch", Ports: []testenv.SysfsPort{{Num: 0, State: "1: DOWN", PhysState: "3: Disabled"}}}},
			choices{"": "sw/0", "sw": "sw/0", "/4": "sw/0", "sw/4": "EINVAL"},
		},
		{"nothing", nil, choices{"": "ENODEV", "a": "ENODEV", "a/1": "ENODEV"}},
		{
			"a port that cannot be read",
			[]testenv.SysfsCA{hca("a", "x/y", "1/3"), hca("b", "1/3")},
			choices{"": "a/1"},
		},
	} {
		tree := testenv.NewSysfs(t, test.cas...)
		for asked, want := range test.want {
			ca, num := "", 0
			if name, port, ok := strings.Cut(asked, "/"); ok {
				ca = name
				fmt.Sscan(port, &num)
			} else {
				ca = asked
			}
			p, err := Host{Sys: tree.Root}.Port(t.Context(), ca, num)
			got := ""
			switch {
			case errors.Is(err, unix.ENODEV):
				got = "ENODEV"
			case errors.Is(err, unix.EINVAL):
				got = "EINVAL"
			case err != nil:
				got = err.Error()
			default:
				got = fmt.Sprintf("%s/%d", p.Device, p.Num)
			}
			if got != want {
				t.Errorf("%s: %q gives %s, want %s (%v)", test.name, asked, got, want, err)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: the message has several lines: %v", test.name, err)
			}
		}
	}
}

func TestPortMessages(t *testing.T) {
	tree := testenv.NewSysfs(t, hca("mlx5_0", "1/3", "1/3"))
	h := Host{Sys: tree.Root}
	for _, test := range []struct {
		ca   string
		num  int
		want string
	}{
		{"mlx5_0", 3, "umad: find mlx5_0 port 3: no such port; the device has ports 1, 2"},
		{"mlx4_0", 0, "umad: find mlx4_0: no such device; there are mlx5_0"},
		{"", 0, "umad: find any device: no InfiniBand port that is not disabled; a port can be named to be used all the same, as mlx5_0/1"},
	} {
		if _, err := h.Port(t.Context(), test.ca, test.num); err == nil || err.Error() != test.want {
			t.Errorf("%s/%d:\n%v\nwant\n%s", test.ca, test.num, err, test.want)
		}
	}
}
