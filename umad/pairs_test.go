package umad

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/rdma"
)

// planarised is an HCA of four planes: mlx5_0 has the general services, smi0 a
// port of subnet management for each plane, of which the third is active.
func planarised() []testenv.SysfsCA {
	const guid = "0002:c903:0000:0a01"
	gsi := testenv.SysfsCA{Name: "mlx5_0", Ports: []testenv.SysfsPort{{Num: 1, GUID: guid, CapMask: "0x2651ec48"}}}
	smi := testenv.SysfsCA{Name: "smi0"}
	for plane := 1; plane <= 4; plane++ {
		p := testenv.SysfsPort{Num: plane, GUID: guid, State: "1: DOWN"}
		if plane == 3 {
			p.State = "4: ACTIVE"
		}
		smi.Ports = append(smi.Ports, p)
	}
	return []testenv.SysfsCA{gsi, smi}
}

func TestPair(t *testing.T) {
	for _, test := range []struct {
		name string
		cas  []testenv.SysfsCA
		want choices // "SMI GSI"
	}{
		{
			"plain",
			[]testenv.SysfsCA{hca("a", "1/2", "4/5")},
			choices{"": "a/2 a/2", "a": "a/2 a/2", "a/1": "a/1 a/1", "/1": "a/1 a/1", "a/9": "EINVAL"},
		},
		{
			"planarised", planarised(),
			choices{
				"": "smi0/3 mlx5_0/1", "mlx5_0": "smi0/3 mlx5_0/1", "mlx5_0/1": "smi0/3 mlx5_0/1",
				"smi0": "smi0/3 mlx5_0/1", "smi0/2": "smi0/2 mlx5_0/1", "smi0/5": "EINVAL",
			},
		},
		{
			"RoCE sorted first and active",
			[]testenv.SysfsCA{hca("a", "4/5e"), hca("b", "2/5")},
			choices{"": "b/1 b/1", "a": "- a/1", "a/1": "- a/1"},
		}, // HEAD of libibumad: a/1
		{
			"a virtual function before the real one",
			[]testenv.SysfsCA{hca("a", "4/5d"), hca("b", "2/5")},
			choices{"": "b/1 b/1", "a": "- a/1"},
		},
		{
			"virtual function alone",
			[]testenv.SysfsCA{hca("a", "4/5d")},
			choices{"": "- a/1"},
		},
		{
			"second port of a second device counts",
			[]testenv.SysfsCA{hca("a", "1/3", "4/5")},
			choices{"": "a/2 a/2"},
		}, // HEAD looks at the first port of a device only
		{"nothing", nil, choices{"": "ENODEV"}},
	} {
		tree := testenv.NewSysfs(t, test.cas...)
		for asked, want := range test.want {
			ca, port, _ := strings.Cut(asked, "/")
			num := 0
			fmt.Sscan(port, &num)
			pair, err := Host{Sys: tree.Root}.Pair(t.Context(), ca, num)
			got := pairText(pair)
			switch {
			case errors.Is(err, unix.ENODEV):
				got = "ENODEV"
			case errors.Is(err, unix.EINVAL):
				got = "EINVAL"
			}
			if got != want {
				t.Errorf("%s: %q gives %s, want %s (%v)", test.name, asked, got, want, err)
			}
		}
	}
}

func pairText(p Pair) string {
	name := func(p *rdma.Port) string {
		if p == nil {
			return "-"
		}
		return fmt.Sprintf("%s/%d", p.Device, p.Num)
	}
	return name(p.SMI) + " " + name(p.GSI)
}

func TestPairs(t *testing.T) {
	cas := append(planarised(), hca("hca", "4/5", "1/2"), hca("roce", "4/5e"), hca("vf", "4/5d"))
	// Two ports that wrongly have one GUID stay themselves.
	cas[2].Ports[1].GUID = cas[2].Ports[0].GUID
	// A RoCE port with the GUID of the planarised HCA is no part of it.
	cas[3].Ports[0].GUID = cas[0].Ports[0].GUID
	tree := testenv.NewSysfs(t, cas...)
	pairs, err := Host{Sys: tree.Root}.Pairs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pairs {
		got = append(got, pairText(p))
	}
	want := "hca/1 hca/1|hca/2 hca/2|smi0/3 mlx5_0/1|- roce/1|- vf/1"
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("pairs %s\nwant  %s", text, want)
	}
}
