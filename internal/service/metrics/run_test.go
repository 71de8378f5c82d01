package metrics

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/watch"
)

// TestRun: a new state is shown soon after it is there, and a scrape never waits for it.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		var st atomic.Pointer[watch.State]
		st.Store(watch.Static("one", "", star([]string{"a", "b"}, counting), nil))
		c := New(func() []*watch.State { asked.Add(1); return []*watch.State{st.Load()} }, nil, &Options{Every: time.Second})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		synctest.Wait()
		const before, after = `ibscope_nodes{fabric="one",type="CA"} 2`, `ibscope_nodes{fabric="one",type="CA"} 3`
		if !strings.Contains(text(t, c, Text), before) {
			t.Error("the first state is not shown")
		}
		st.Store(watch.Static("one", "", star([]string{"a", "b", "c"}, counting), nil))
		count := asked.Load()
		if !strings.Contains(text(t, c, Text), before) || asked.Load() != count {
			t.Error("a scrape looked for a new state")
		}
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		if !strings.Contains(text(t, c, Text), after) {
			t.Error("the second state is not shown after a second")
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		st.Store(watch.Static("one", "", star([]string{"a"}, counting), nil))
		if !strings.Contains(text(t, c, Text), `ibscope_nodes{fabric="one",type="CA"} 1`) {
			t.Error("after Run a scrape does not look itself")
		}
	})
}

// TestRendersWhatIsNew: pieces that have not changed are those of before.
func TestRendersWhatIsNew(t *testing.T) {
	w := newWorld(t, "fattree?levels=2&radix=4")
	first := w.state()
	second := *first
	second.Totals = w.totals(first.Fabric)
	second.Pass.Count++
	var st atomic.Pointer[watch.State]
	st.Store(first)
	c := New(func() []*watch.State { return []*watch.State{st.Load()} }, nil, nil)
	c.Refresh()
	old := c.shelves[Own].fabrics["test"].pieces
	if before := c.current.Load(); func() bool { c.Refresh(); return c.current.Load() != before }() {
		t.Error("rendered again without a reason")
	}
	st.Store(&second)
	c.Refresh()
	changed, own := map[string]bool{}, ownFamilies()
	for i, p := range c.shelves[Own].fabrics["test"].pieces {
		if p != old[i] {
			changed[own[i].name] = true
		}
	}
	for name, want := range map[string]bool{
		"ibscope_port_transmit_data_bytes_total": true, "ibscope_runs_total": true,
		"ibscope_port_state": false, "ibscope_port_symbol_errors_total": false, "ibscope_link_info": false, "ibscope_events_total": false,
	} {
		if changed[name] != want {
			t.Errorf("%s: made anew %t, want %t", name, changed[name], want)
		}
	}
}

func TestRenew(t *testing.T) {
	name := "old"
	c := New(always(watch.Static("one", "", star([]string{"a"}, counting), nil)), nil, &Options{Name: func(*fabric.Node) string { return name }})
	before := text(t, c, Text)
	name = "new"
	if !strings.Contains(before, `name="old"`) || !strings.Contains(text(t, c, Text), `name="old"`) {
		t.Error("rendered without a new state")
	}
	c.Renew()
	if after := text(t, c, Text); strings.Contains(after, `name="old"`) || !strings.Contains(after, `name="new"`) {
		t.Error("the names are those of before")
	}
}
