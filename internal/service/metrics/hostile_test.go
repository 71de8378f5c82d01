package metrics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

var hostile = []string{
	`quote " brace } 7` + "\n" + `ibscope_nodes{fabric="x"} 99`, `back\slash\n\\`, "\x1b[31mred\x07", "\xff\xfe not \xc3 UTF-8", "bidi \u202e override",
	"", " ", "# EOF\n", `",evil="1`, strings.Repeat("Ä", 32), "tab\there", "\u2028line",
}

func TestHostileNames(t *testing.T) {
	st := watch.Static(`f"}`+"\n\x00\xff", "sim:\"\n", star(hostile, counting), nil)
	c := New(always(st), nil, &Options{Sets: []Set{Treydock, Guilbaults}})
	for _, set := range []Set{Own, Treydock, Guilbaults} {
		page := text(t, c, Text, set)
		promtool(t, page)
		e := read(t, page)
		for series := range e.values {
			if i := strings.IndexFunc(series, func(r rune) bool { return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x202e }); i >= 0 {
				t.Errorf("a control character in %q", series)
			}
			if strings.Contains(series, `evil="`) && !strings.Contains(series, `evil=\"`) {
				t.Errorf("a label was broken out of: %s", series)
			}
		}
	}
}

// TestDuplicateGUIDs: nodes that claim one GUID, and a fabric that is there twice, make
// no series twice.
func TestDuplicateGUIDs(t *testing.T) {
	f := star([]string{"a", "b", "c"}, func(int) ib.GUID { return 0x2000 })
	all := star([]string{"a", "b", "c"}, func(int) ib.GUID { return 0x1000 })
	now := total.NewTable(time.Now(), nil)
	c := New(always(watch.Static("one", "", f, now), watch.Static("two", "", f, now), watch.Static("one", "", all, nil), nil, watch.Static("three", "", all, now), &watch.State{Name: "four"}),
		nil, &Options{Sets: []Set{Treydock, Guilbaults}})
	for _, set := range []Set{Own, Treydock, Guilbaults} {
		promtool(t, text(t, c, Text, set))
		if e := read(t, text(t, c, Text, set)); set == Own && e.values[`ibscope_nodes{fabric="two",type="CA"}`] != 3 {
			t.Error("the second fabric is not there")
		}
	}
}

func TestLimit(t *testing.T) {
	st := newWorld(t, "fattree?levels=2&radix=4").state()
	free := read(t, text(t, New(always(st), nil, nil), Text))
	series, dropped := free.values[`ibscope_series{fabric="test"}`], free.values[`ibscope_series_dropped{fabric="test"}`]
	if dropped != 0 || series < 1000 {
		t.Fatalf("without a limit: %v shown, %v dropped", series, dropped)
	}
	capped := read(t, text(t, New(always(st), nil, &Options{MaxSeries: 400}), Text))
	got, left := capped.values[`ibscope_series{fabric="test"}`], capped.values[`ibscope_series_dropped{fabric="test"}`]
	if got != 400 || left != series-400 {
		t.Errorf("with a limit of 400: %v shown, %v dropped of %v", got, left, series)
	}
	of := 0
	for s := range capped.values {
		if strings.Contains(s, `fabric="test"`) {
			of++
		}
	}
	if of != 402 {
		t.Errorf("%d series of the fabric, want 402", of)
	}
	if _, ok := capped.values[`ibscope_fabric_connected{fabric="test"}`]; !ok {
		t.Error("what matters most was dropped")
	}
}

func FuzzValue(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l := labels("name", s, "other", "x")
		e := read(t, fmt.Sprintf("# TYPE m gauge\nm%s 1\n", l))
		if e.labels["m"] != "name,other" || strings.ContainsAny(l, "\n\r\x00\x1b") {
			t.Errorf("%q gives %q", s, l)
		}
	})
}
