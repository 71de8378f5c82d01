package service

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

const (
	tree = "sim:fattree?levels=2&radix=4"
	ring = "sim:ring?switches=4"
)

// TestService watches two fabrics and answers about them; a link that goes down is an
// event with both ends.
func TestService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		if err := w.make(complete(t, "a="+tree, "b="+ring)); err != nil {
			t.Fatal(err)
		}
		if out := w.ask("/readyz"); out.Code != http.StatusServiceUnavailable {
			t.Errorf("ready before the first sweep: %d", out.Code)
		}
		w.start() // whose sweeps take no time at all
		wait(time.Minute)
		if out := w.ask("/readyz"); out.Code != http.StatusOK {
			t.Errorf("not ready after a minute: %d", out.Code)
		}
		for name, f := range w.status() {
			if f.Status != api.Live || !f.Complete || f.Counters.Count == 0 || len(f.Managers) != 1 {
				t.Errorf("%s: %+v", name, f)
			}
		}
		model := w.fabric(tree).Model()
		var link fabric.Link // between switches: the port of the service stays in the fabric
		for l := range model.Links() {
			if l.A.Node().Type() == ib.NodeSwitch && l.B.Node().Type() == ib.NodeSwitch {
				link = l
			}
		}
		last := read[api.Events](w, "/events").Last
		if err := w.fabric(tree).LinkDown(sim.Place{Node: link.A.Node(), Port: link.A.Num()}); err != nil {
			t.Fatal(err)
		}
		wait(time.Minute)
		var down []api.Event
		for _, e := range read[api.Events](w, "/events").Items {
			if e.ID > last && e.Kind == "link-down" {
				down = append(down, e)
			}
		}
		if len(down) != 1 || down[0].Fabric != "a" {
			t.Fatalf("events: %v", w.kinds("a", last))
		}
		ends := []string{down[0].At.GUID.String(), down[0].To.GUID.String()}
		if !slices.Contains(ends, link.A.Node().GUID().String()) || !slices.Contains(ends, link.B.Node().GUID().String()) {
			t.Errorf("the link is between %v", ends)
		}
		if !strings.Contains(w.log.String(), "msg=link-down") {
			t.Error("the log does not have it")
		}
		if metrics := w.ask("/metrics"); !strings.Contains(metrics.Body.String(), `fabric="b"`) {
			t.Errorf("metrics: %d", metrics.Code)
		}
		if page := w.ask("/"); page.Code != http.StatusOK || !strings.Contains(page.Body.String(), "<html") {
			t.Errorf("the page: %d", page.Code)
		}
		if m := w.ask(api.Prefix + "/fabrics/a/map"); m.Code != http.StatusOK || m.Header().Get("Content-Type") != "application/json" {
			t.Errorf("the map: %d %v", m.Code, m.Header())
		}
	})
}

// TestLostPort goes on when a port is gone, also at the start, and comes back.
func TestLostPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		gone := errors.New("no such port")
		w.broken[ring] = gone
		w.run(complete(t, "a="+tree, "b="+ring))
		wait(time.Minute)
		if s := w.status(); s["a"].Status != api.Live || s["b"].Status != api.Lost || s["b"].Error != gone.Error() {
			t.Errorf("%+v", s)
		}
		w.lose(ring, nil)
		w.lose(tree, gone)
		wait(3 * time.Minute)
		s := w.status()
		if s["b"].Status != api.Live || s["a"].Status != api.Lost || s["a"].Counts == nil {
			t.Errorf("%+v", s)
		}
		if n := read[api.Page[api.Node]](w, "/fabrics/a/nodes"); n.Total == 0 {
			t.Error("what was known is forgotten")
		}
		w.lose(tree, nil)
		wait(3 * time.Minute)
		if s := w.status(); s["a"].Status != api.Live {
			t.Errorf("%+v", s["a"])
		}
		if got := w.kinds("a", 0); !slices.Equal(got, []string{"fabric-lost", "fabric-back"}) {
			t.Errorf("events: %v", got)
		}
	})
}

// TestMistake refuses what will never work.
func TestMistake(t *testing.T) {
	w := newWorld(t)
	for _, c := range []*config.Config{
		complete(t, "mistake:"),
		complete(t, "file:no-such-topology"), // which is not tried again
		{Fabrics: []config.Fabric{{Name: "a", Source: "file:ring?switches=3", Names: filepath.Join(t.TempDir(), "none")}}},
		{Tokens: filepath.Join(t.TempDir(), "none")},
	} {
		if err := w.make(c); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

// TestReadOnly makes sure that nothing can be changed through any port of the service.
func TestReadOnly(t *testing.T) {
	w := newWorld(t)
	c := complete(t, ring)
	for allowed, c := range map[bool]*config.Config{false: c, true: {Fabrics: c.Fabrics, AllowResets: true}} {
		if err := w.make(c); err != nil {
			t.Fatal(err)
		}
		f := w.service.fabrics[0]
		first, err := f.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		again, err := f.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, port := range []interface {
			Send(*mad.Packet, mad.Addr, time.Duration) error
		}{first, again} {
			var set, reset mad.Packet
			set.Init(mad.ClassSubnLID, mad.MethodSet, smp.AttrPortInfo, 1)
			if err := port.Send(&set, mad.Addr{LID: 1}, time.Second); !errors.Is(err, os.ErrPermission) {
				t.Errorf("a Set of subnet management: %v", err)
			}
			reset.Init(mad.ClassPerf, mad.MethodSet, pma.AttrPortCounters, 0)
			if err := port.Send(&reset, mad.Addr{LID: 1, QP: 1}, time.Second); errors.Is(err, os.ErrPermission) == allowed {
				t.Errorf("a reset of counters, allowed %v: %v", allowed, err)
			}
		}
		_ = first.Close()
		_ = again.Close()
		w.service.Close()
	}
	w.close()
}

// TestStoredFabric shows a file like any other fabric.
func TestStoredFabric(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		w.run(complete(t, "file:ring?switches=5"))
		wait(time.Minute)
		if s := w.status()["ring"]; s.Status != api.Stored || s.Counts.Switches != 5 {
			t.Errorf("%+v", s)
		}
	})
}

// TestOnce reads everything once.
func TestOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		c := complete(t, "a="+tree, "b="+ring)
		if err := w.make(c); err != nil {
			t.Fatal(err)
		}
		if err := w.service.Once(t.Context()); err != nil {
			t.Error(err)
		}
		for name, f := range w.status() {
			if f.Verify.Count != 1 || f.Counters.Count != 1 {
				t.Errorf("%s: %+v", name, f)
			}
		}
		w.service.Close()
		w.broken[ring] = os.ErrNotExist
		if err := w.make(c); err != nil {
			t.Fatal(err)
		}
		if err := w.service.Once(t.Context()); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "fabric b") {
			t.Errorf("with a port that is gone: %v", err)
		}
		w.service.Close()
	})
}
