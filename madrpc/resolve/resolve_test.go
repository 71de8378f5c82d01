package resolve_test

import (
	"errors"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	sarecords "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/resolve"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sa"
	"github.com/ibscope/ibscope/sim/sm"
)

func open(t *testing.T, o *sim.Options, managed bool) (*madrpc.Client, *fabric.Fabric) {
	t.Helper()
	model, err := gen.Parse("star?hosts=3")
	if err != nil {
		t.Fatal(err)
	}
	f, err := sim.New(model, o)
	if err != nil {
		t.Fatal(err)
	}
	if managed {
		m, err := sm.Start(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sa.Start(m); err != nil {
			t.Fatal(err)
		}
	}
	port, err := f.Attach(model.Start())
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	t.Cleanup(func() { client.Close() })
	return client, model
}

func TestManaged(t *testing.T) {
	client, model := open(t, nil, true)
	ctx := t.Context()
	self, err := resolve.Self(ctx, client)
	if err != nil || self.Node.PortGUID != model.Start().GUID() || self.Port.LID == 0 {
		t.Fatalf("%+v, %v", self, err)
	}
	if self.Num() != model.Start().Num() || self.Target().LID != model.Start().LID() {
		t.Errorf("the own port is %d, at %v", self.Num(), self.Target())
	}
	manager, err := resolve.Manager(ctx, client)
	if err != nil || manager.LID != self.Port.SMLID {
		t.Errorf("manager %v, %v", manager, err)
	}
	for n := range model.Nodes() {
		guid := n.Info().PortGUID
		to, err := resolve.GUID(ctx, client, guid, nil)
		if err != nil {
			t.Fatal(err)
		}
		info, err := madrpc.GetSMP[smp.NodeInfo](ctx, client, to, 0)
		if err != nil || info.PortGUID != guid {
			t.Errorf("GUID %s leads to %s, which is %s (%v)", guid, to, info.PortGUID, err)
		}
	}
	_, err = resolve.GUID(ctx, client, 0x77, &resolve.Options{Manager: manager})
	var status mad.Status
	if !errors.As(err, &status) || errors.Is(err, resolve.ErrNoManager) {
		t.Errorf("unknown GUID: %v (%v)", err, sarecords.StatusNoRecords)
	}
	path, _ := ib.ParseDRPath("0,2")
	for sw := range model.Switches() {
		to, err := resolve.GUID(ctx, client, sw.GUID(), nil)
		if err != nil {
			t.Fatal(err)
		}
		to, err = resolve.Combined(ctx, client, to.LID, path)
		if err != nil || to.SLID != self.Port.LID {
			t.Fatalf("%+v, %v", to, err)
		}
		info, err := madrpc.GetSMP[smp.NodeInfo](ctx, client, to, 0)
		if err != nil || info.NodeGUID != sw.Port(2).Remote().Node().GUID() {
			t.Errorf("%s is %s, %v", to, info.NodeGUID, err)
		}
	}
}

func TestUnmanaged(t *testing.T) {
	client, _ := open(t, &sim.Options{Fresh: true}, false)
	if _, err := resolve.Manager(t.Context(), client); !errors.Is(err, resolve.ErrNoManager) {
		t.Error(err)
	}
	if _, err := resolve.GUID(t.Context(), client, 5, nil); !errors.Is(err, resolve.ErrNoManager) {
		t.Error(err)
	}
	self, err := resolve.Self(t.Context(), client)
	if err != nil || self.GID() != ib.GIDFrom(ib.DefaultSubnetPrefix, self.Node.PortGUID) {
		t.Errorf("%v, %v", self.GID(), err)
	}
}
