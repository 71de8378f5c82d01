package cache

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// netFile builds a topology for ibsim.
type netFile struct {
	nodes []*netNode
}

type netNode struct {
	kind          string // Switch, Ca or Rt
	ports         int
	id, desc      string
	guid, system  uint64
	vendor, devid int
	lid, lmc      int
	enhanced      bool
	links         map[int]string
}

func (f *netFile) add(kind string, ports int, id string, guid uint64, vendor, devid int) *netNode {
	n := &netNode{kind: kind, ports: ports, id: id, guid: guid, vendor: vendor, devid: devid, links: map[int]string{}}
	f.nodes = append(f.nodes, n)
	return n
}

func (n *netNode) named(desc string) *netNode    { n.desc = desc; return n }
func (n *netNode) inSystem(guid uint64) *netNode { n.system = guid; return n }

// link connects two ports; rate is as "4xEDR".
func link(a *netNode, pa int, b *netNode, pb int, rate string) {
	a.links[pa] = a.line(pa, b, pb, rate)
	b.links[pb] = b.line(pb, a, pa, rate)
}

func (n *netNode) line(port int, peer *netNode, peerPort int, rate string) string {
	own := ""
	if n.kind != "Switch" {
		own = fmt.Sprintf("lid %d lmc %d ", n.lid+port, n.lmc)
	}
	return fmt.Sprintf("[%d]\t\"%s\"[%d]\t\t# %s\"x\" lid 0 %s", port, peer.id, peerPort, own, rate)
}

func (f *netFile) String() string {
	var b strings.Builder
	for _, n := range f.nodes {
		if n.vendor != 0 {
			fmt.Fprintf(&b, "vendid=0x%x\n", n.vendor)
		}
		fmt.Fprintf(&b, "devid=0x%x\n", n.devid)
		if n.system != 0 {
			fmt.Fprintf(&b, "sysimgguid=0x%x\n", n.system)
		}
		fmt.Fprintf(&b, "%sguid=0x%x\n", map[string]string{"Switch": "switch", "Ca": "ca", "Rt": "rt"}[n.kind], n.guid)
		desc := n.desc
		if desc == "" {
			desc = n.id
		}
		port0 := ""
		if n.kind == "Switch" {
			port0 = fmt.Sprintf(" %s port 0 lid %d lmc %d", map[bool]string{false: "base", true: "enhanced"}[n.enhanced], n.lid, n.lmc)
		}
		fmt.Fprintf(&b, "%s\t%d \"%s\"\t\t# \"%s\"%s\n", n.kind, n.ports, n.id, desc, port0)
		for p := 1; p <= n.ports; p++ {
			if l := n.links[p]; l != "" {
				b.WriteString(l + "\n")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (f *netFile) write(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fabric.net")
	if err := os.WriteFile(path, []byte(f.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// switchGUIDs spreads GUIDs over the buckets of the port table.
func spread(i int) uint64 { return 0x0002c90300000000 + uint64(i)*0x10 + uint64(i%7)<<32 }

// randomFabric is connected, with parallel links, self links, and link rates
// that need the extra request for FDR10 on some devices.
func randomFabric(seed uint64, switches, cas int) *netFile {
	rng := rand.New(rand.NewPCG(seed, 1))
	rates := []string{"4xQDR", "4xFDR10", "4xFDR", "4xEDR", "1xSDR", "12xDDR", "2xHDR", "8xQDR"}
	rate := func() string { return rates[rng.IntN(len(rates))] }
	devices := []int{0xc738, 0xcb20, 0xbd36, 0x1003, 0x1017, 0xd2f2}
	f := &netFile{}
	free := map[*netNode]int{}
	take := func(n *netNode) int { free[n]++; return free[n] }
	var sw []*netNode
	for i := range switches {
		n := f.add("Switch", 12, fmt.Sprintf("S%d", i), spread(i+1), 0x2c9, devices[rng.IntN(len(devices))])
		n.lid, n.lmc, n.enhanced = 10*i+1, i%2, i%3 == 0
		if i > 0 {
			peer := sw[rng.IntN(len(sw))]
			for free[peer] > 8 {
				peer = sw[rng.IntN(len(sw))]
			}
			link(n, take(n), peer, take(peer), rate())
		}
		sw = append(sw, n)
	}
	for i := range cas {
		kind := "Ca"
		if i%9 == 8 {
			kind = "Rt"
		}
		n := f.add(kind, 2, fmt.Sprintf("H%d", i), spread(1000+i), 0x2c9, devices[rng.IntN(len(devices))])
		n.lid, n.lmc = 1000+10*i, i%3
		if i%5 == 0 { // nobody stops a host from calling itself so
			n.desc = fmt.Sprintf("h\u00e9llo-%d \x1b[31m\x7f\x01", i)
		}
		for range 2 {
			if peer := sw[rng.IntN(len(sw))]; free[peer] < 11 {
				r := rate()
				if kind == "Rt" { // ibsim reads no rate for routers: 4x
					r = "4xQDR"
				}
				link(n, take(n), peer, take(peer), r)
			}
		}
	}
	for range switches {
		a, b := sw[rng.IntN(len(sw))], sw[rng.IntN(len(sw))]
		if free[a] < 10 && free[b] < 10 && a != b {
			link(a, take(a), b, take(b), rate())
		}
	}
	if n := sw[0]; free[n] < 11 {
		p := take(n)
		link(n, p, n, take(n), "4xEDR")
	}
	return f
}
