package history

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/watch"
)

// TestMaxBytes stores more than there is room for: the file stays below the bound, what
// goes are the finest rates first, and what is new stays.
func TestMaxBytes(t *testing.T) {
	t.Parallel()
	c := &clock{begin}
	const most = 2 << 20
	db := open(t, &Options{Now: c.Now, MaxBytes: most, Keep: Keep{Passes: year, Minutes: year}})
	w := newWriter(db)
	log := event.NewLog(1000, 1)
	l := newLab(t, "star?hosts=3")
	r := rand.New(rand.NewPCG(5, 6))
	largest, passes := int64(0), 200
	for range passes {
		c.now = c.now.Add(time.Minute)
		l.change(r)
		log.Add(event.Event{Kind: event.LinkUp, Time: c.now})
		s := &watch.State{Name: "a", Fabric: l.sweep(), At: c.now, Totals: table(c.now, time.Minute, 60, 40, func(int, int) float64 { return r.Float64() * 1e9 })}
		store(t, w, log, s)
		info, err := os.Stat(db.path)
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, info.Size())
	}
	if largest > most || largest < most/2 {
		t.Errorf("the file had %d bytes, the bound is %d", largest, most)
	}
	points, err := db.Series(t.Context(), "", 5<<8, 7, begin, c.now)
	if err != nil || len(points) == 0 {
		t.Fatal(err)
	}
	fine, coarse := 0, 0
	for i, p := range points {
		if p.Passes {
			fine++
		} else {
			coarse++
		}
		if i > 0 && !p.Passes && !p.From.Equal(points[i-1].To) {
			t.Errorf("a gap before %+v", p)
		}
	}
	if fine == 0 || fine > passes/2 || coarse == 0 || !points[len(points)-1].To.Equal(c.now) || points[0].From.After(begin) {
		t.Errorf("%d points of passes, %d of longer intervals, from %s", fine, coarse, points[0].From)
	}
	if list, err := db.Events(t.Context(), nil); err != nil || len(list) != passes {
		t.Errorf("%d events, %v", len(list), err)
	}
}

// TestBytesPerPort: docs/history.md says what a pass takes, by which one reckons how large
// a history gets.
func TestBytesPerPort(t *testing.T) {
	t.Parallel()
	c := &clock{begin}
	db := open(t, &Options{Now: c.Now})
	w := newWriter(db)
	r := rand.New(rand.NewPCG(7, 8))
	const nodes, ports, passes = 60, 40, 5
	for range passes {
		c.now = c.now.Add(time.Minute)
		store(t, w, event.NewLog(1, 1), &watch.State{Name: "a", At: c.now, Totals: table(c.now, time.Minute, nodes, ports, func(int, int) float64 { return r.Float64() * 1e9 })})
	}
	first, last := rateRange(1, 0, never, forever)
	var bytes float64
	if err := db.read.QueryRowContext(t.Context(), "SELECT sum(length(body)) FROM rates WHERE key BETWEEN ? AND ?", first, last).Scan(&bytes); err != nil {
		t.Fatal(err)
	}
	if got := bytes / (nodes * ports * passes); got < 4 || got > 14 {
		t.Errorf("a pass takes %.1f bytes a port, docs/history.md says 12", got)
	}
}

// TestSmallBound: where there is no room for anything, what is new takes the place of
// what is old, and the last event stays known.
func TestSmallBound(t *testing.T) {
	c := &clock{begin}
	db := open(t, &Options{Now: c.Now, MaxBytes: 1})
	w := newWriter(db)
	log := event.NewLog(10000, 1)
	for range 20 {
		for range 500 {
			log.Add(event.Event{Kind: event.LinkUp, Time: c.now, At: event.End{GUID: 1, Name: strings.Repeat("x", 64)}})
		}
		store(t, w, log)
	}
	list, err := db.Events(t.Context(), nil)
	if err != nil || len(list) == 0 || len(list) > 5000 || list[len(list)-1].ID != 10000 {
		t.Fatalf("%d events, %v", len(list), err)
	}
	for i, e := range list {
		if e.ID != list[0].ID+uint64(i) {
			t.Errorf("event %d after %d", e.ID, list[0].ID)
		}
	}
}

// TestAge: what is too old goes.
func TestAge(t *testing.T) {
	t.Parallel()
	c := &clock{begin}
	db := open(t, &Options{Now: c.Now, Keep: Keep{Events: 10 * day, Snapshots: 10 * day, Hours: 20 * day, Days: 20 * day}})
	w := newWriter(db)
	log := event.NewLog(1000, 1)
	l := newLab(t, "star?hosts=3")
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		c.now = c.now.Add(day)
		for range 3 {
			l.change(r)
		}
		log.Add(event.Event{Kind: event.LinkUp, Time: c.now})
		store(t, w, log, &watch.State{Name: "a", Fabric: l.sweep(), At: c.now, Totals: table(c.now, day, 5, 1, func(int, int) float64 { return 1 })})
	}
	list, err := db.Events(t.Context(), nil)
	if err != nil || len(list) != 11 || list[0].Time.Before(c.now.Add(-10*day)) || list[10].ID != 60 {
		t.Errorf("%d events, %v", len(list), err)
	}
	stored, err := db.Snapshots(t.Context(), "a", time.Time{}, time.Time{}, 0)
	if err != nil || len(stored) > 40 {
		t.Errorf("%d snapshots, %v", len(stored), err)
	}
	for d := range 9 {
		if _, _, err := db.FabricAt(t.Context(), "a", c.now.Add(-time.Duration(d)*day)); err != nil {
			t.Errorf("%d days ago: %v", d, err)
		}
	}
	points, err := db.Series(t.Context(), "", 1<<8, 1, begin, c.now)
	if err != nil || len(points) < 19 || len(points) > 22 {
		t.Errorf("%d points, %v", len(points), err)
	}
	c.now = c.now.Add(3 * year)
	store(t, w, log)
	if list, err := db.Events(t.Context(), nil); err != nil || len(list) != 1 || list[0].ID != 60 {
		t.Errorf("%d events after years, %v", len(list), err)
	}
	var layouts, rates int
	if err := db.read.QueryRowContext(t.Context(), "SELECT (SELECT count(*) FROM layouts), (SELECT count(*) FROM rates)").Scan(&layouts, &rates); err != nil || layouts != 0 || rates > 10 {
		t.Errorf("%d layouts and %d rows of rates are left, %v", layouts, rates, err)
	}
}

// TestShrink: a file gives back what it does not need any more.
func TestShrink(t *testing.T) {
	t.Parallel()
	c := &clock{begin}
	o := &Options{Now: c.Now, unsafe: true}
	db := open(t, o)
	w := newWriter(db)
	log := event.NewLog(30000, 1)
	for range 30000 {
		log.Add(event.Event{Kind: event.LinkUp, Time: c.now, At: event.End{GUID: 1, Name: strings.Repeat("x", 64)}})
	}
	store(t, w, log)
	size := func() int64 {
		info, err := os.Stat(db.path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	large := size()
	db.o.MaxBytes = 4 << 20
	for range 50 {
		store(t, w, log)
	}
	if small := size(); large < 10<<20 || small > 8<<20 {
		t.Errorf("from %d bytes to %d", large, small)
	}
	list, err := db.Events(t.Context(), &Filter{Newest: true, Limit: 1})
	if err != nil || len(list) != 1 || list[0].ID != 30000 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestEarly: that there is no room for all rates is told from when on it is so, with how
// far they reach, until what went would have gone anyway.
func TestEarly(t *testing.T) {
	t.Parallel()
	c := &clock{begin}
	db := open(t, &Options{Now: c.Now, MaxBytes: 1 << 20, Keep: Keep{Passes: 10 * time.Hour}})
	w := newWriter(db)
	log := event.NewLog(1, 1)
	r := rand.New(rand.NewPCG(5, 6))
	pass := func(nodes int) Reach {
		c.now = c.now.Add(time.Minute)
		store(t, w, log, &watch.State{Name: "a", At: c.now, Totals: table(c.now, time.Minute, nodes, 40, func(int, int) float64 { return r.Float64() * 1e9 })})
		return db.Status().Rates[0]
	}
	var since time.Time
	for range 60 {
		got := pass(60)
		if since.IsZero() {
			since = got.EarlySince
			if since.IsZero() && !got.From.Equal(begin.Add(time.Minute)) {
				t.Fatalf("before there is too much: %+v", got)
			}
		}
		if !got.EarlySince.Equal(since) || got.Keep != 10*time.Hour {
			t.Fatalf("since %s: %+v", since, got)
		}
	}
	if !since.After(begin.Add(10 * time.Minute)) {
		t.Fatalf("early since %s", since)
	}
	got := db.Status().Rates[0]
	if first, err := w.edge(t.Context(), "min", 1, 0, never); err != nil || first.Before(got.From) || first.After(got.From.Add(5*time.Minute)) {
		t.Errorf("from %s, the oldest are of %s, %v", got.From, first, err)
	}
	if hours := db.Status().Rates[2]; !hours.EarlySince.IsZero() || hours.Interval != time.Hour || hours.From.After(begin) {
		t.Errorf("hours: %+v", hours)
	}
	for range 11 * 60 / 30 {
		c.now = c.now.Add(29 * time.Minute)
		got = pass(1)
	}
	if !got.EarlySince.IsZero() || got.From.IsZero() {
		t.Errorf("when there is room again: %+v", got)
	}
}
