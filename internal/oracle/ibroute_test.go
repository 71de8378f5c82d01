package oracle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/resolve"
	"github.com/ibscope/ibscope/saclient"
)

var ibrouteLines = []string{
	"ibroute", "ibroute -h", "ibroute -K 1", "ibroute -D 0", "ibroute -D 0,1", "ibroute -a -D 0,1", "ibroute -n -D 0,1",
	"ibroute -M -D 0,1", "ibroute -M -n -D 0,1", "ibroute -M -a -D 0,1 0xc000 0xc003", "ibroute -v -M -D 0,1 0xc3f0",
	"ibroute 0", "ibroute nonsense", "ibroute -M -D 0,1 5", "ibroute -M -D 0,1 0xd000 0xe000", "ibroute -M -D 0,1 0xc010 0xc001",
	"ibroute --node-name-map /nonexistent -D 0,1", "ibroute -D 0,1 5 3",
}

var dumpLines = []string{
	"dump_fts", "dump_fts -a", "dump_fts -n", "dump_fts -M", "dump_fts -M -n", "dump_fts -M -a 0xc000 0xc002", "dump_fts -a -n 3 5",
	"dump_fts 2", "dump_fts 0x2 0x4", "dump_fts 4 2", "dump_fts -v -M", "dump_fts -h", "dump_fts -D 0", "dump_fts -M 3 0xc001",
	"dump_fts -t 500 -y 3", "dump_lfts", "dump_lfts -n 2", "dump_mfts", "dump_mfts -n", "dump_fts nonsense",
}

func TestForwardingTablesBare(t *testing.T) {
	testenv.Need(t, "ibsim", "ibroute", "dump_fts", "umad2sim")
	for _, file := range []string{"net", "net.2sw2path4hca2port"} {
		r := startBare(t, file)
		r.like(t, "Hca1", ibrouteLines...)
		r.like(t, "Hca1", dumpLines...)
		r.like(t, "Switch1", "ibroute -D 0", "dump_fts")
	}
}

func TestForwardingTablesManaged(t *testing.T) {
	testenv.Need(t, "ibsim", "ibroute", "dump_fts", "umad2sim")
	for name, lmc := range map[string]string{"one LID": "0", "four LIDs": "2"} {
		t.Run(name, func(t *testing.T) {
			r := startManaged(t, "net.2sw2path4hca2port", "Hca1", "-l", lmc)
			r.join(t, "Hca1")
			r.join(t, "Hca2")
			r.waitMulticast(t)
			r.like(t, "Hca2", ibrouteLines...)
			r.like(t, "Hca2",
				"ibroute {Switch1}", "ibroute -a {Switch1}", "ibroute -n {Switch2}", "ibroute -an {Switch2}", "ibroute {Switch1} 2",
				"ibroute {Switch1} 3 5", "ibroute {Switch1} 0x5 0x3", "ibroute {Switch1} 5 99999", "ibroute {Switch1} -- -1",
				"ibroute -G {guid Switch2}", "ibroute -M {Switch1}", "ibroute -M -n {Switch2}", "ibroute -M -a {Switch1} 0xc000 0xc004",
				"ibroute -M {Switch1} 0xc001", "ibroute -v -M {Switch1}", "ibroute {Hca1}", "ibroute -t 500 {Switch1}x", "ibroute 300")
			r.like(t, "Hca2", dumpLines...)
		})
	}
}

// join makes the port of a node a member of the multicast group for IP.
func (r *rig) join(t *testing.T, host string) {
	t.Helper()
	conn, err := ibsim.Dial(t.Context(), &ibsim.Options{Name: r.sim.Name, Host: host})
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(conn, nil)
	defer client.Close()
	self, err := resolve.Self(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	group, _ := ib.ParseGID("ff12:401b:ffff::ffff:ffff")
	member := sa.MCMemberRecord{MGID: group, PortGID: self.GID(), JoinState: 1}
	mask := sa.CompMCMemberRecordMGID | sa.CompMCMemberRecordPortGID | sa.CompMCMemberRecordJoinState
	if err := saclient.New(client, mad.ByLID(self.Port.SMLID), nil).Set(t.Context(), &member, mask); err != nil {
		t.Fatal(err)
	}
}

// waitMulticast waits until OpenSM has written what the members of a group need.
func (r *rig) waitMulticast(t *testing.T) {
	t.Helper()
	for range 50 {
		if strings.Contains(r.ours(t, "Hca2", "ibroute -M {Switch1}").stdout, " x ") {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("OpenSM wrote no multicast table")
}

// TestLastLID: C stops before the last block when the last LID is the first of
// that block, a multiple of 64, and so does not show it.
func TestLastLID(t *testing.T) {
	for _, line := range []string{"ibroute 1", "dump_fts", "ibroute -D 0,1 64", "ibroute -n 1 60 64"} {
		got := oursAt(t, "sim:star?hosts=63", "", strings.Fields(line)...)
		if got.code != 0 || !strings.Contains(got.stdout, "\n0x0040 063 ") {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestDumpExitCode: the scripts of C always end with 0, whatever became of the dump.
func TestDumpExitCode(t *testing.T) {
	for line, want := range map[string]int{"dump_lfts -h": 2, "dump_mfts": 255, "dump_lfts": 255} {
		got := oursAt(t, "ibsim:nobody-is-here", "", strings.Fields(line)...)
		if got.code != want || !strings.Contains(got.stdout, "*** WARNING ***: this command has been replaced by dump_fts") {
			t.Errorf("%s: %+v", line, got)
		}
	}
}
