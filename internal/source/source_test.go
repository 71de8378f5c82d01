package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/umad"
)

func noEnv(string) string { return "" }

func TestOpenMistakes(t *testing.T) {
	for _, test := range []struct {
		uri  string
		part string
		is   error
	}{
		{"", "scheme", nil},
		{"fabric.topo", "scheme", nil},
		{"http://x", "scheme", nil},
		{"umad:", "kernel port", syscall.EOPNOTSUPP},
		{"umad:mlx5_0/1", "kernel port", syscall.EOPNOTSUPP},
		{"umad:mlx5_0/0", "port", nil},
		{"umad:mlx5_0/x", "port", nil},
		{"file:", "file", nil},
		{"file:/nonexistent", "file", fs.ErrNotExist},
		{"sim:", "name", nil},
		{"sim:/nonexistent", "file", fs.ErrNotExist},
		{"sim:nothing", "file or generator", nil},
		{"sim:star?hots=3", "argument hots", ErrSyntax},
		{"sim:star?dead=nobody", "argument dead", fs.ErrNotExist},
		{"sim:star?dead=node0001 mlx5_0/7", "argument dead", fs.ErrNotExist},
		{"sim:star?loss=2", "argument loss", nil},
		{"sim:star?loss=101%", "argument loss", nil},
		{"sim:star?loss=NaN", "argument loss", nil},
		{"sim:star?latency=5", "argument latency", nil},
		{"sim:star?latency=-5us", "argument latency", nil},
		{"sim:star?seed=x", "argument seed", nil},
		{"sim:star?sm=auto", "argument sm", nil},
		{"sim:star?traps=", "argument traps", nil},
		{"sim:star?seed=1&seed=2", "argument seed", nil},
		{"sim:star?traffic=", "argument traffic", os.ErrInvalid},
		{"sim:star?traffic=load:2", "argument traffic", os.ErrInvalid},
		{"sim:star?traffic=30%|on:0x99", "argument traffic", fs.ErrNotExist},
		{"sim:star?ping=nobody", "argument ping", fs.ErrNotExist},
		{"sim:star?node=nobody", "argument node", fs.ErrNotExist},
		{"sim:star?port=300", "argument port", nil},
		{"sim:star?node=a&host=b", "argument host", nil},
		{"ibsim:a:b:c", "server", nil},
		{"ibsim::7070", "server", nil},
		{"ibsim:udp:7070", "server", nil},
		{"ibsim:unix:a:b:c", "server", nil},
		{"ibsim:nobody-listens-here", "server", syscall.ECONNREFUSED},
	} {
		w := World{Getenv: noEnv, Host: umad.Host{Sys: "/nonexistent"}}
		_, err := w.Open(context.Background(), test.uri)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v, want an *Error", test.uri, err)
			continue
		}
		if e.Part != test.part || e.URI != test.uri {
			t.Errorf("%s: error about %q of %q, want %q", test.uri, e.Part, e.URI, test.part)
		}
		if test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %v is not %v", test.uri, err, test.is)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the message has several lines: %q", test.uri, err)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ uri, scheme, name, loss string }{
		{"sim:a.topo?loss=1%", "sim", "a.topo", "1%"},
		{"sim:a.topo?loss=1%25&seed=2", "sim", "a.topo", "1%"},
		{"sim:star?loss=1%&seed=2", "sim", "star", "1%"},
		{"sim:star?loss=MF0;switch01:MQM8700/U1&seed=2", "sim", "star", "MF0;switch01:MQM8700/U1"}, // as a description
		{"sim:star?loss=a%3Bb", "sim", "star", "a;b"},
		{"file:what?loss=1", "file", "what?loss=1", ""},
		{"ibsim:host:7070", "ibsim", "host:7070", ""},
		{"umad", "umad", "", ""},
	} {
		u, err := Parse(test.uri)
		if err != nil {
			t.Errorf("%s: %v", test.uri, err)
			continue
		}
		if u.Scheme != test.scheme || u.Name != test.name || u.Query.Get("loss") != test.loss {
			t.Errorf("%s: got %+v", test.uri, u)
		}
	}
}

const topology = `vendid=0x2c9
devid=0xd2f2
sysimgguid=0x10
switchguid=0x10(10)
Switch	2 "S-0000000000000010"		# "sw" enhanced port 0 lid 1 lmc 0
[1]	"H-0000000000000020"[1](21) 		# "host a" lid 2 4xNDR

vendid=0x2c9
devid=0x1021
sysimgguid=0x20
caguid=0x20
Ca	1 "H-0000000000000020"		# "host a"
[1](21) 	"S-0000000000000010"[1]		# lid 2 lmc 0 "sw" lid 1 4xNDR
`

// TestSources reads the same topology as a stored fabric and as a simulated
// one, attached in several places.
func TestSources(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fabric.topo")
	if err := os.WriteFile(file, []byte(topology), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		uri, start string
		nodes      int
	}{
		{"file:" + file, "", 2},
		{"sim:" + file, "host a", 2},
		{"sim:" + file + "?node=sw", "sw", 2},
		{"sim:" + file + "?node=0x10", "sw", 2},
		{"sim:" + file + "?host=host%20a&port=1&seed=7", "host a", 2},
		{"sim:" + file + "?host=host+a&latency=1us", "host a", 2},
		{"sim:line?switches=2&hop-latency=1us", "", 4},
		{"sim:line?switches=2&sm=off&traps=off", "", 4},
		{"sim:line?switches=2&sm=on&traps=on", "", 4},
	} {
		s, err := Open(t.Context(), test.uri, noEnv)
		if err != nil {
			t.Errorf("%s: %v", test.uri, err)
			continue
		}
		f, err := s.Fabric(t.Context(), &discover.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.uri, err)
		}
		if f.NumNodes() != test.nodes {
			t.Errorf("%s: %d nodes", test.uri, f.NumNodes())
		}
		if test.start != "" && (f.Start() == nil || f.Start().Node().Description() != test.start) {
			t.Errorf("%s: does not start at %q", test.uri, test.start)
		}
		if s.Stored == nil && f.Sweep().Source != test.uri {
			t.Errorf("%s: the source is recorded as %q", test.uri, f.Sweep().Source)
		}
		if err := s.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: close: %v", test.uri, err)
		}
	}
	if _, err := Open(t.Context(), "sim:"+file+"?host=sw", noEnv); err == nil {
		t.Error("host= takes a switch")
	}
	if _, err := Open(t.Context(), "sim:"+file+"?radix=3", noEnv); err == nil {
		t.Error("a file takes a generator's argument")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"sim:star?loss=1%", "umad:mlx5_0/1", "sim:x?%", "sim:x?%%%a&=&;", "file:", "ibsim:a:b", ":", "?"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := Parse(text)
		if err == nil && u.Scheme == "" {
			t.Errorf("Parse(%q) has no scheme", text)
		}
	})
}

// An argument is a generator's or the simulator's, never both.
func TestArgumentsHaveOneOwner(t *testing.T) {
	for _, g := range gen.Generators() {
		for _, p := range g.Params {
			if slices.Contains(simArguments, p.Name) {
				t.Errorf("%s= is an argument of %s and of the simulator", p.Name, g.Name)
			}
		}
	}
	s, err := OpenSimulator("sim:fattree?levels=2&radix=8&hosts=4&hcas=2&adapters=node0002 mlx5_1")
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Fabric.Model().NumNodes(); len(s.HCAs) != 1 || s.HCAs[0].Description() != "node0002 mlx5_1" || n < 8 {
		t.Errorf("%d adapters of the machine, %d nodes", len(s.HCAs), n)
	}
}

// What sm= makes of a file: nothing and as stored, a manager that keeps the LIDs
// of the file and gives them to ports that have none, or a fabric without any.
func TestManagersOfFiles(t *testing.T) {
	text := strings.NewReplacer("lid 1 ", "lid 7 ", "lid 2 ", "lid 33 ").Replace(topology)
	for query, want := range map[string]struct {
		lids    []ib.LID
		manager bool
	}{
		"":         {[]ib.LID{7, 33}, false},
		"?sm=on":   {[]ib.LID{7, 33}, true},
		"?sm=off":  {[]ib.LID{0, 0}, false},
		"?node=sw": {[]ib.LID{7, 33}, false},
	} {
		file := filepath.Join(t.TempDir(), "fabric.topo")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := OpenSimulator("sim:" + file + query)
		if err != nil {
			t.Fatal(err)
		}
		var lids []ib.LID
		for n := range s.Fabric.Model().Nodes() {
			num := 1
			if n.Type() == ib.NodeSwitch {
				num = 0
			}
			v := s.Fabric.PortInfo(sim.Place{Node: n, Port: num})
			lids = append(lids, v.LID)
		}
		slices.Sort(lids)
		if !slices.Equal(lids, want.lids) || (s.Fabric.Agent(mad.ClassSubnAdm) != nil) != want.manager {
			t.Errorf("sim:FILE%s: LIDs %d, manager %v", query, lids, s.Fabric.Agent(mad.ClassSubnAdm) != nil)
		}
	}
}

// Partitions of the manager are in the ports' tables, in the switches that keep
// others out, and in the paths.
func TestPartitions(t *testing.T) {
	for query, part := range map[string]string{
		"0x10":             "argument pkeys",
		"x:all":            "argument pkeys",
		"0x10:nobody":      "argument pkeys",
		"0x10:all=half":    "argument pkeys",
		"0:all":            "arguments",
		"0x10:all|0x10:sw": "argument pkeys",
		"1:all|1:all":      "arguments",
	} {
		_, err := OpenSimulator("sim:star?hosts=4&pkeys=" + query)
		var e *Error
		if !errors.As(err, &e) || e.Part != part {
			t.Errorf("pkeys=%s: %v", query, err)
		}
	}
	s, err := OpenSimulator("sim:star?hosts=4&pkeys=0x10:node0002,node0003=limited|0x8011:all=limited|0x7fff:node0002")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][3]uint16{
		"node0001 mlx5_0": {0xffff, 0x0011, 0}, // the manager's
		"node0002 mlx5_0": {0xffff, 0x8010, 0x0011},
		"node0003 mlx5_0": {0x7fff, 0x0010, 0x0011},
		"node0004 mlx5_0": {0x7fff, 0x0011, 0},
	} {
		n, err := s.Node(name)
		if err != nil {
			t.Fatal(err)
		}
		peer, _ := s.Fabric.Peer(sim.Place{Node: n, Port: 1})
		for at, modifier := range map[sim.Place]uint32{{Node: n, Port: 1}: 0, peer: uint32(peer.Port) << 16} {
			var data [mad.DataSize]byte
			s.Fabric.Direct(at, mad.MethodGet, 0x16, modifier, &data)
			var got [3]uint16
			for i := range got {
				got[i] = uint16(data[2*i])<<8 | uint16(data[2*i+1])
			}
			want := want
			for i := range want {
				if at == peer && want[i] != 0 {
					want[i] |= 0x8000 // limited members pass the switch
				}
			}
			if got != want {
				t.Errorf("%s, at %s: %04x, want %04x", name, at.Node.Description(), got, want)
			}
		}
		if v := s.Fabric.PortInfo(peer); !v.PartEnforceInbound || !v.PartEnforceOutbound {
			t.Errorf("the switch does not enforce the partitions of %s", name)
		}
	}
}

// TestFiles opens a directory, and several files with commas between them.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	const list = "{ SW Ports:02 SystemGUID:a0 NodeGUID:a0 PortGUID:a0 VenID:2c9 DevID:1 Rev:1 {a} LID:1 PN:01 } { SW Ports:02 SystemGUID:b0 NodeGUID:b0 PortGUID:b0 VenID:2c9 DevID:1 Rev:1 {b} LID:2 PN:01 } PHY=4x LOG=ACT\n"
	files := map[string]string{
		"a.lst": list, "guid2lid": "0x00000000000000a0 0x0007 0x0007\n", "comma,in.lst": list,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, problems := range map[string]int{
		dir: 1, dir + "/a.lst," + dir + "/guid2lid": 1, dir + "/comma,in.lst": 0, dir + "/a.lst": 0,
	} {
		s, err := Open(t.Context(), "file:"+name, os.Getenv)
		if err != nil {
			t.Fatal(err)
		}
		if s.Stored.NumNodes() != 2 || len(s.Stored.Problems()) != problems {
			t.Errorf("%s: %d nodes, %v", name, s.Stored.NumNodes(), s.Stored.Problems())
		}
	}
	if _, err := Open(t.Context(), "file:"+dir+"/a.lst,"+dir+"/none", os.Getenv); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestMissingNodesAreNoFiles: what is not there is a node, whatever errors.Is says.
func TestMissingNodesAreNoFiles(t *testing.T) {
	for _, uri := range []string{"sim:star?dead=nobody", "sim:star?dead=node0001 mlx5_0/7", "sim:star?pkeys=0x10:nobody"} {
		if _, err := Open(t.Context(), uri, noEnv); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "file") {
			t.Errorf("%s: %v", uri, err)
		}
	}
}
