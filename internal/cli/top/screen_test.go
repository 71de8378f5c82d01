package top

import (
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/columns"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// state is a fat tree whose ports have counted something that follows from their place.
func state(t *testing.T, topology string) *watch.State {
	t.Helper()
	f, err := gen.Parse(topology)
	if err != nil {
		t.Fatal(err)
	}
	var ports []*total.Port
	for p := range f.Ports() {
		if p.Num() == 0 {
			continue
		}
		ports = append(ports, countedPort(p))
	}
	return &watch.State{
		Name: "fabric", Source: "sim:" + topology, Fabric: f, At: noon, Connected: true,
		Totals: total.NewTable(noon, ports),
	}
}

// countedPort makes numbers up: the traffic of a port falls with its node and number,
// every seventh node has symbol errors, every fifth waits.
func countedPort(p *fabric.Port) *total.Port {
	i := p.Node().Index()
	c := &total.Port{Key: total.Key{Node: p.Node().GUID(), Num: p.Num()}, At: noon, Interval: 10 * time.Second, Congestion: 0}
	c.Has = counters.All
	c.Rated = counters.All
	c.Rates[counters.XmitData] = 50e9 / float64(1+i+p.Num())
	c.Rates[counters.RcvData] = 10e9 / float64(1+i+p.Num())
	if i%7 == 3 {
		c.Values[counters.SymbolErrors], c.Rates[counters.SymbolErrors] = uint64(100+i), float64(i)/60
	}
	if i%5 == 2 {
		c.Congestion = 0.3 / float64(p.Num())
	}
	if i == 4 && p.Num() == 1 {
		c.Values[counters.LinkDowned] = 6
	}
	return c
}

func described(n *fabric.Node) string { return n.Description() }

// happened are two events of a fabric.
func happened(s *watch.State) []event.Event {
	for l := range s.Fabric.Links() {
		at := event.End{GUID: l.A.Node().GUID(), Name: l.A.Node().Description(), Port: l.A.Num()}
		to := event.End{GUID: l.B.Node().GUID(), Name: l.B.Node().Description(), Port: l.B.Num()}
		return []event.Event{
			{ID: 2, Time: noon.Add(-time.Minute), Kind: event.LinkUp, Severity: event.Info, At: at, To: to, Old: "Down", New: "Active", How: "refresh"},
			{ID: 1, Time: noon.Add(-2 * time.Minute), Kind: event.LinkDown, Severity: event.Critical, At: at, To: to, Old: "Active", New: "Down", How: "refresh"},
		}
	}
	return nil
}

func screenOf(t *testing.T, topology string, width, height int) *model {
	t.Helper()
	s := state(t, topology)
	m := newModel(noon.Add(3 * time.Second))
	m.resize(width, height)
	m.take(ofState(s, happened(s), described))
	return m
}

// press sends keys: "enter", or characters.
func press(m *model, keys ...string) {
	for _, k := range keys {
		m.key(k)
	}
}

// text is a screen without colours.
func text(m *model) string { return plainText(strings.Join(m.screen(), "\n")) + "\n" }

func TestScreens(t *testing.T) {
	for name, keys := range map[string][]string{
		"traffic": nil, "errors": {"2"}, "congestion": {"3"}, "links": {"4"}, "events": {"5"}, "help": {"?"},
		"node": {"down", "enter"}, "peer": {"2", "o"}, "filter": {"/", "l", "e", "a", "f"}, "frozen": {"space"},
		"sorted": {"right", "r"}, "bytes": {"u", "n"},
	} {
		for _, size := range []struct {
			name          string
			width, height int
		}{{"80x24", 80, 24}, {"200x50", 200, 50}} {
			m := screenOf(t, "fattree?levels=3&radix=8&hosts=60", size.width, size.height)
			press(m, keys...)
			got := text(m)
			checkSize(t, name, got, size.width, size.height)
			testenv.Golden(t, name+"."+size.name, []byte(got))
		}
	}
}

// checkSize makes sure that a screen has its lines, none of them wider than it.
func checkSize(t *testing.T, name, screen string, width, height int) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
	if len(lines) > height || name != "help" && len(lines) != height {
		t.Errorf("%s at %d×%d: %d lines", name, width, height, len(lines))
	}
	for _, line := range lines {
		if n := columns.Width(line); n > width {
			t.Errorf("%s at %d×%d: %d columns: %q", name, width, height, n, line)
		}
	}
}

// TestFreeze makes sure that a frozen screen keeps what it shows, and then goes on.
func TestFreeze(t *testing.T) {
	m := screenOf(t, "star?hosts=4", 80, 24)
	press(m, "space")
	before := len(m.rows)
	m.take(ofState(state(t, "star?hosts=8"), nil, described))
	if len(m.rows) != before {
		t.Errorf("%d rows on a frozen screen, %d before", len(m.rows), before)
	}
	press(m, "space")
	if len(m.rows) != 8 {
		t.Errorf("%d rows after it, want 8", len(m.rows))
	}
}

// TestWalk goes from a link into a node, to its peer, and back.
func TestWalk(t *testing.T) {
	m := screenOf(t, "star?hosts=4", 80, 24)
	press(m, "end", "enter")
	first := m.path[0]
	press(m, "enter")
	if len(m.path) != 2 || m.path[1] == first {
		t.Fatalf("the path is %v", m.path)
	}
	n, _ := state(t, "star?hosts=4").Fabric.NodeByGUID(m.path[0])
	if n == nil || n.Type() != ib.NodeSwitch && n.Type() != ib.NodeCA {
		t.Errorf("went into %v", m.path[0])
	}
	press(m, "esc", "esc")
	if len(m.path) != 0 || m.view().title != "Traffic" {
		t.Errorf("back at %q by %v", m.view().title, m.path)
	}
}

// TestHostileNames makes sure that names cannot act on the terminal.
func TestHostileNames(t *testing.T) {
	s := state(t, "star?hosts=4")
	evil := "\x1b]0;pwned\x07\x1b[2J\u202eevil\nline"
	m := newModel(noon)
	events := []event.Event{{ID: 1, Kind: event.NodeRenamed, At: event.End{GUID: 1, Name: evil, Port: -1}, Old: evil, New: evil, How: evil}}
	m.take(ofState(s, events, func(*fabric.Node) string { return evil }))
	for _, view := range []string{"1", "2", "3", "4", "5"} {
		press(m, view)
		got := text(m)
		checkSize(t, "hostile "+view, got, 80, 24)
		if strings.ContainsAny(got, "\x1b\x07\u202e") {
			t.Errorf("view %s: %q", view, got)
		}
		press(m, "/", "\x1b", "enter", "enter", "esc", "esc")
	}
}

// TestOddSizes makes sure that no size of a terminal is too small or too large.
func TestOddSizes(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {10, 3}, {39, 8}, {80, 7}, {500, 200}} {
		m := screenOf(t, "fattree?levels=2&radix=8", size[0], size[1])
		for _, k := range []string{"1", "2", "3", "4", "5", "enter", "end", "pgup", "?"} {
			press(m, k)
			if lines := len(m.screen()); lines > max(1, size[1]) {
				t.Errorf("%v after %s: %d lines", size, k, lines)
			}
		}
	}
	empty := newModel(noon)
	press(empty, "1", "5", "enter", "down", "esc", "s", "/", "a", "enter")
	checkSize(t, "empty", text(empty), 80, 24)
}
