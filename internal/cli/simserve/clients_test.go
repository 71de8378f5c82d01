package simserve

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/testenv"
)

// big is a fabric of some hundred nodes, enough for C's requests to fill all sockets.
const (
	big      = "sim:fattree?levels=2&radix=24&hosts=288"
	bigHosts = 288
	bigNodes = bigHosts + 24 + 12
)

// TestOutstanding: with more than 320 requests on their way, ibsim and its
// client block each other for good.
func TestOutstanding(t *testing.T) {
	testenv.Need(t, "umad2sim", "ibnetdiscover")
	ours := &testenv.Ibsim{Name: serve(t, big, nil).Addr()}
	want, _, code := testenv.RunC(t, ours, "", "ibnetdiscover")
	if code != 0 || strings.Count(want, "\nCa\t") != bigHosts {
		t.Fatalf("exit code %d, %d adapters", code, strings.Count(want, "\nCa\t"))
	}
	for _, outstanding := range []string{"1", "2", "32", "512", "4096", "100000"} {
		got, stderr, code := testenv.RunC(t, ours, "", "ibnetdiscover", "-o", outstanding)
		if diff := cmp.Diff(undated(want), undated(got)); diff != "" || code != 0 {
			t.Errorf("-o %s: exit code %d, %s\n%s", outstanding, code, stderr, diff)
		}
	}
}

// TestUDP: with more than 112, a client of ibsim loses answers and waits for
// ever.
func TestUDP(t *testing.T) {
	testenv.Need(t, "umad2sim", "ibnetdiscover")
	s := serve(t, big, func(_ *network, o *ibsim.ServerOptions) { o.Network, o.Address = "udp", "127.0.0.1:0" })
	host, port, _ := strings.Cut(s.Addr(), ":")
	for _, outstanding := range []string{"2", "32", "512", "4096"} {
		cmd := testenv.CommandC(t, &testenv.Ibsim{}, "", "ibnetdiscover", "-l", "-o", outstanding)
		cmd.Env = append(cmd.Env, "IBSIM_SERVER_NAME="+host, "IBSIM_SERVER_PORT="+port)
		out, err := cmd.Output()
		if n := bytes.Count(out, []byte("\n")); err != nil || n != bigNodes {
			t.Errorf("-o %s: %v, %d nodes", outstanding, err, n)
		}
	}
}

// TestManyCTools runs more at once than ibsim has slots.
func TestManyCTools(t *testing.T) {
	testenv.Need(t, "umad2sim", "ibnetdiscover")
	s := serve(t, big, nil)
	var held []*ibsim.Conn
	for range 20 { // of the first slots
		c, err := ibsim.Dial(t.Context(), &ibsim.Options{Name: s.Addr()})
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, c)
	}
	ours := &testenv.Ibsim{Name: s.Addr()}
	var all sync.WaitGroup
	for range 6 {
		cmd := testenv.CommandC(t, ours, "", "ibnetdiscover", "-l")
		all.Go(func() {
			if out, err := cmd.Output(); err != nil || bytes.Count(out, []byte("\n")) != bigNodes {
				t.Errorf("%v, %d nodes", err, bytes.Count(out, []byte("\n")))
			}
		})
	}
	all.Wait()
	for _, c := range held {
		c.Close()
	}
}

// TestOpenSM: the subnet manager of the C project brings a fresh fabric up.
func TestOpenSM(t *testing.T) {
	testenv.Need(t, "umad2sim", "opensm", "sminfo", "ibtracert", "saquery")
	s := serve(t, "sim:"+testenv.Example(t, "net.2sw2path4hca"), nil)
	ours := &testenv.Ibsim{Name: s.Addr()}
	startOpenSM(t, ours)
	for _, test := range []struct{ command, want string }{
		{"sminfo", "sm lid 1 sm guid 0x100001"},
		{"sminfo", "SMINFO_MASTER"},
		{"smpquery portinfo -D 0,1 1", "LinkState:.......................Active"},
		{"smpquery nodedesc 4", "Hca"},
		{"ibtracert 1 6", `lid 6-6 "Hca`},
		{"ibroute 2", "valid lids dumped"},
		{"saquery -c", "SA ClassPortInfo"},
		{"saquery --src-to-dst 1:6", "dlid....................6"},
	} {
		args := strings.Fields(test.command)
		out, stderr, code := testenv.RunC(t, ours, "Hca2", args[0], args[1:]...)
		if code != 0 || !strings.Contains(out, test.want) {
			t.Errorf("%s: exit code %d, want %q in\n%s%s", test.command, code, test.want, out, stderr)
		}
	}
}

// startOpenSM runs it until the test ends, and waits until the subnet is up.
func startOpenSM(t *testing.T, sim *testenv.Ibsim) {
	t.Helper()
	cmd := testenv.CommandC(t, sim, "Hca1", "opensm", "-f", "log", "-L", "0")
	cmd.Env = append(cmd.Env, "OSM_TMP_DIR="+cmd.Dir, "OSM_CACHE_DIR="+cmd.Dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		_, _, known := testenv.RunC(t, sim, "Hca2", "sminfo")
		_, _, routed := testenv.RunC(t, sim, "Hca2", "ibtracert", "1", "6")
		if known == 0 && routed == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the subnet is not up after 20 seconds")
		}
	}
}
