package history

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/watch"
)

// truth is what the rates of an interval are, from all passes in it.
func truth(passes []pass, from, to time.Time) (r Range, seconds float64, n int) {
	r = Range{Min: -1, Mean: -1, Max: -1}
	sum := 0.0
	for _, p := range passes {
		if p.at.Before(from) || !p.at.Before(to) {
			continue
		}
		if seconds == 0 {
			r = Range{Min: p.rate, Max: p.rate}
		}
		r.Min, r.Max = min(r.Min, p.rate), max(r.Max, p.rate)
		seconds += p.seconds
		sum += p.rate * p.seconds
		n++
	}
	if seconds > 0 {
		r.Mean = sum / seconds
	}
	return r, seconds, n
}

type pass struct {
	at            time.Time
	seconds, rate float64
}

func near(got, want float64) bool { return math.Abs(got-want) <= math.Abs(want)*0.002 }

// TestSeries stores passes of days, some missing, and compares each point of the series
// with what the passes in it told; and that there is a point for all of the time.
func TestSeries(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	c := &clock{begin}
	db := open(t, &Options{Now: c.Now, Keep: Keep{Hours: 3 * day}})
	w := newWriter(db)
	log := event.NewLog(1, 1)
	var passes []pass
	step := func(d time.Duration) {
		c.now = c.now.Add(d)
		rate := 1e6 + 1e9*r.Float64()
		nodes := 3 + len(passes)%2 // ports come and go
		store(t, w, log, &watch.State{Name: "a", At: c.now, Totals: table(c.now, d, nodes, 2, func(node, port int) float64 { return rate * float64(1+node) * float64(port) })})
		passes = append(passes, pass{c.now, d.Seconds(), rate * 2 * 2})
	}
	for range 6 * 24 * 2 {
		step(30 * time.Minute)
	}
	c.now = c.now.Add(7 * time.Hour) // the service was off
	for range 160 {
		step(time.Minute)
		if len(passes)%50 == 0 {
			w = newWriter(db)
		}
	}
	points, err := db.Series(t.Context(), "a", 2<<8, 2, begin, c.now.Add(time.Hour))
	if err != nil || len(points) < 200 {
		t.Fatalf("%d points, %v", len(points), err)
	}
	kinds := map[time.Duration]int{}
	told := 0
	for i, p := range points {
		want, seconds, n := truth(passes, p.From, p.To)
		kinds[p.To.Sub(p.From)]++
		if p.Passes {
			want, seconds, n = truth(passes, p.To, p.To.Add(time.Second))
		}
		if !near(p.Known.Seconds(), seconds) || !near(p.XmitBytes.Mean, want.Mean) || !near(p.XmitBytes.Min, want.Min) || !near(p.XmitBytes.Max, want.Max) {
			t.Errorf("%+v, want %+v", p, want)
		}
		if !near(p.RcvBytes.Mean, want.Mean/2) || !near(p.RcvPackets.Max, want.Max/200) || p.Congestion != (Range{0.25, 0.25, 0.25}) {
			t.Errorf("%+v, want %+v", p, want)
		}
		if i > 0 && p.From.Before(points[i-1].From) {
			t.Errorf("%+v is not in order", p)
		}
		told += n
	}
	if told != len(passes) {
		t.Errorf("the points are about %d passes, there were %d", told, len(passes))
	}
	for _, d := range []time.Duration{day, time.Hour, 5 * time.Minute, time.Minute} {
		if kinds[d] == 0 {
			t.Errorf("no point of %v, but %v", d, kinds)
		}
	}
	windows(t, db, r, passes, c.now)
	some, err := db.Series(t.Context(), "a", 4<<8, 1, c.now.Add(-9*time.Minute), c.now)
	if err != nil || len(some) != 5 { // it is there in every second pass
		t.Errorf("%d points of a port that comes and goes, %v", len(some), err)
	}
	if none, err := db.Series(t.Context(), "a", 9<<8, 1, begin, c.now); err != nil || len(none) != 0 {
		t.Errorf("%d points of no port, %v", len(none), err)
	}
	if _, err := db.Series(t.Context(), "b", 1, 1, begin, c.now); !errors.Is(err, ErrNothing) {
		t.Errorf("of no fabric: %v", err)
	}
}

// windows asks for parts of a series: no time is there twice, and no pass is missing.
func windows(t *testing.T, db *DB, r *rand.Rand, passes []pass, now time.Time) {
	t.Helper()
	for range 100 {
		from := begin.Add(time.Duration(r.Int64N(int64(now.Sub(begin)))))
		to := from.Add(time.Duration(r.Int64N(int64(now.Sub(from)) + 1)))
		points, err := db.Series(t.Context(), "a", 2<<8, 2, from, to)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range points {
			if i == 0 {
				continue
			}
			before := points[i-1]
			if !p.Passes && p.From.Before(before.To) || p.Passes && p.To.Before(before.To) {
				t.Errorf("%s to %s: %+v and %+v", from, to, before, p)
			}
		}
		for _, p := range passes {
			in := func(q Point) bool {
				return q.Passes && q.To.Equal(p.at) || !q.Passes && !p.at.Before(q.From) && p.at.Before(q.To)
			}
			if p.at.After(from) && p.at.Before(to) && !slices.ContainsFunc(points, in) {
				t.Errorf("%s to %s: nothing of %s", from, to, p.at)
			}
		}
	}
}

// TestUnknown: what was not read is not 0.
func TestUnknown(t *testing.T) {
	db := open(t, nil)
	w := newWriter(db)
	at := time.Now().Truncate(time.Second)
	for i := range 3 {
		tab := table(at.Add(time.Duration(i)*time.Minute), time.Minute, 1, 3, func(int, int) float64 { return 0 })
		tab.Ports[0].Missed = i
		tab.Ports[1].Congestion = -1
		tab.Ports[2].Rated = 0
		store(t, w, event.NewLog(1, 1), &watch.State{Name: "a", Totals: tab})
	}
	for port, want := range []struct {
		points     int
		congestion float64
	}{{0, 0}, {1, 0.25}, {3, -1}, {0, 0}} {
		points, err := db.Series(t.Context(), "", 1<<8, port, at.Add(-time.Hour), at.Add(time.Hour))
		if err != nil || len(points) != want.points {
			t.Fatalf("port %d: %v, %v", port, points, err)
		}
		for _, p := range points {
			if p.XmitBytes.Mean != 0 || p.Congestion.Mean != want.congestion || p.Errors != float64(port) {
				t.Errorf("port %d: %+v", port, p)
			}
		}
	}
}
