package saclient

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// managed is a simulated fabric with OpenSM on the first host, and a client to it
// from the second.
type managed struct {
	sim *testenv.Ibsim
	rpc *madrpc.Client
	sm  ib.LID
}

func startOpenSM(t *testing.T) *managed {
	t.Helper()
	testenv.Need(t, "opensm")
	dir := t.TempDir()
	file := filepath.Join(dir, "net")
	if err := os.WriteFile(file, []byte(topology), 0o600); err != nil {
		t.Fatal(err)
	}
	m := &managed{sim: testenv.StartIbsim(t, file)}
	sm := testenv.CommandC(t, m.sim, "Host1", "opensm", "-f", filepath.Join(dir, "log"), "-s", "0")
	sm.Env = append(sm.Env, "OSM_TMP_DIR="+dir, "OSM_CACHE_DIR="+dir)
	if err := sm.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = sm.Process.Kill()
		_ = sm.Wait()
	})
	conn, err := ibsim.Dial(t.Context(), &ibsim.Options{Name: m.sim.Name, Host: "Host2"})
	if err != nil {
		t.Fatal(err)
	}
	m.rpc = madrpc.New(conn, nil)
	t.Cleanup(func() { _ = m.rpc.Close() })
	m.waitActive(t)
	return m
}

// waitActive waits until the subnet manager has set up the own port.
func (m *managed) waitActive(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		p, err := madrpc.GetSMP[smp.PortInfo](ctx, m.rpc, mad.Target{}, 0)
		if err == nil && p.State == ib.PortActive && p.SMLID != 0 {
			m.sm = p.SMLID
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("OpenSM did not bring the port up")
}

const topology = `Switch 4 "Switch1"
[1] "Host1"[1]
[2] "Host2"[1]
[3] "Switch2"[1]

Switch 4 "Switch2"
[1] "Switch1"[3]
[2] "Host3"[1]

Hca 1 "Host1"
[1] "Switch1"[1]

Hca 1 "Host2"
[1] "Switch1"[2]

Hca 1 "Host3"
[1] "Switch2"[2]
`

// TestOpenSM asks OpenSM for a record and a table. The simulator has no RMPP: a
// table is what fits into one packet.
func TestOpenSM(t *testing.T) {
	m := startOpenSM(t)
	c := New(m.rpc, mad.ByLID(m.sm), nil)
	info, err := c.ClassPortInfo(t.Context())
	if err != nil || info.ClassVersion != 2 || info.CapMask&sa.CapUDMulticast == 0 {
		t.Errorf("%+v, %v", info, err)
	}
	links := map[sa.LinkRecord]bool{}
	for v, err := range Table[sa.LinkRecord](t.Context(), c, Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		links[v] = true
	}
	for v := range links {
		if !links[sa.LinkRecord{FromLID: v.ToLID, FromPort: v.ToPort, ToPort: v.FromPort, ToLID: v.FromLID}] {
			t.Errorf("%+v has no other side", v)
		}
	}
	if len(links) != 8 {
		t.Errorf("%d ends of links, want 8: %+v", len(links), links)
	}
	node := sa.NodeRecord{LID: m.sm}
	if err := c.Get(t.Context(), &node, sa.CompNodeRecordLID); err != nil || node.Desc.String() != "Host1" {
		t.Errorf("%+v, %v", node, err)
	}
	node.LID = 0xb000
	if err := c.Get(t.Context(), &node, sa.CompNodeRecordLID); !errors.Is(err, sa.StatusNoRecords) {
		t.Errorf("no such node: %v", err)
	}
}

// TestSameTextAsSaquery prints what OpenSM answers as saquery does.
func TestSameTextAsSaquery(t *testing.T) {
	m := startOpenSM(t)
	c := New(m.rpc, mad.ByLID(m.sm), nil)
	o := sa.Text{CapMask2: sa.Cap2MulticastFDBTop}
	for _, tt := range []struct {
		name string
		q    madrpc.Attribute
	}{
		{"NR", new(sa.NodeRecord)},
		{"LR", new(sa.LinkRecord)},
		{"SWIR", new(sa.SwitchInfoRecord)},
		{"MCMR", new(sa.MCMemberRecord)},
	} {
		var got []byte
		for row, err := range c.Rows(t.Context(), Query{Record: tt.q}) {
			if err == nil {
				got, _, err = o.Append(got, tt.q.AttrID(), row)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		want, _, _ := testenv.RunC(t, m.sim, "Host3", "saquery", tt.name)
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s (-saquery +ibscope)\n%s", tt.name, diff)
		}
	}
}
