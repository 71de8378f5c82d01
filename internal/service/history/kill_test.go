package history

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// lives is how often the writer is killed, and every so often a database is new.
const (
	lives    = 200
	newEvery = 50
)

// childVariable has the directory of a process that is to be killed.
const childVariable = "IBSCOPE_TEST_HISTORY_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		child(dir)
	}
	os.Exit(m.Run())
}

// alone is a testing.TB outside a test.
type alone struct{ testing.TB }

func (alone) Helper()                  {}
func (alone) Context() context.Context { return context.Background() }
func (alone) Cleanup(func())           {}
func (alone) Error(args ...any)        { fmt.Println(args...) }
func (alone) Fatal(args ...any)        { fmt.Println(args...); os.Exit(1) }

// child writes as a service does until it is killed. What it has in mind is in the file
// "sweeps", what is stored by its own account is on stdout.
func child(dir string) {
	must := func(err error) {
		if err != nil {
			fmt.Println("child:", err)
			os.Exit(1)
		}
	}
	ctx := context.Background()
	c := &clock{begin}
	db, err := Open(ctx, dir, &Options{Now: c.Now})
	must(err)
	last, err := db.Last(ctx)
	must(err)
	minute, err := strconv.Atoi(os.Args[len(os.Args)-1])
	must(err)
	sweeps, err := os.OpenFile(filepath.Join(dir, "sweeps"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(err)
	log := event.NewLog(1000, last.Event+1)
	w := newWriter(db)
	w.event = last.Event
	l := newLab(alone{}, "star?hosts=4")
	r := rand.New(rand.NewPCG(uint64(minute), 1))
	for {
		minute++
		l.change(r)
		f := l.sweep()
		at := begin.Add(time.Duration(minute) * time.Minute)
		c.now = at
		fmt.Fprintf(sweeps, "%d %s\n", at.UnixNano(), sumOf(withoutSweep(text(alone{}, f))))
		db.Record(&watch.State{Name: "a", Fabric: f, At: at, Totals: table(at, time.Minute, 4, 2, func(int, int) float64 { return rateOf(minute) })})
		for range r.IntN(10) {
			id := log.Last() + 1
			log.Add(event.Event{Time: at, Kind: event.LinkUp, Fabric: "a", Count: id * id})
		}
		must(w.work(ctx, log))
		fmt.Println("stored", minute, db.Status().Event)
	}
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// rateOf is what all ports send in a minute.
func rateOf(minute int) float64 { return float64(1000 * (1 + minute%60)) }

// acknowledged is what a child has said to be stored.
type acknowledged struct {
	minute int
	event  uint64
}

// live starts a child and kills it after some time: from its start, or from when it has
// stored something for the first time.
func live(t *testing.T, dir string, from acknowledged, after time.Duration, atOnce bool) acknowledged {
	t.Helper()
	c := exec.Command(os.Args[0], strconv.Itoa(from.minute))
	c.Env = append(os.Environ(), childVariable+"="+dir)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { _ = c.Process.Kill() }
	timer := time.AfterFunc(time.Minute, kill)
	defer timer.Stop()
	if atOnce {
		timer.Reset(after)
	}
	to := from
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if to == from && !atOnce {
			timer.Reset(after)
		}
		if _, err := fmt.Sscanf(lines.Text(), "stored %d %d", &to.minute, &to.event); err != nil {
			t.Fatalf("the child says %q", lines.Text())
		}
	}
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.Exited() {
		t.Fatalf("the child was not killed: %v", err)
	}
	return to
}

// TestKill kills a writer at any time, again and again: the database is whole, and what
// was stored is there.
func TestKill(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	var dir string
	var told acknowledged
	restarts, stored := 0, 0
	for i := range lives {
		if i%newEvery == 0 {
			stored += told.minute
			dir, told = t.TempDir(), acknowledged{}
		}
		next := live(t, dir, told, time.Duration(r.IntN(90))*time.Millisecond, i%2 == 0)
		if next != told {
			restarts++
		}
		if _, err := os.Stat(filepath.Join(dir, FileName)); err != nil {
			continue // it was killed before it began
		}
		told = verify(t, dir, next, i%newEvery == newEvery-1)
		if t.Failed() {
			t.Fatalf("life %d", i)
		}
	}
	stored += told.minute
	t.Logf("%d of %d lives stored something, %d passes in all", restarts, lives, stored)
	if restarts < lives/4 {
		t.Errorf("%d of %d lives stored something: they are too short to tell", restarts, lives)
	}
}

// verify looks at a database whose writer was killed.
func verify(t *testing.T, dir string, told acknowledged, all bool) acknowledged {
	t.Helper()
	db, err := Open(t.Context(), dir, &Options{Now: func() time.Time { return begin }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var integrity string
	if err := db.read.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&integrity); err != nil || integrity != "ok" {
		t.Errorf("integrity: %s, %v", integrity, err)
	}
	list, err := db.Events(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range list {
		if e.ID != uint64(i+1) || e.Count != e.ID*e.ID {
			t.Fatalf("event %d of %d: %+v", i, len(list), e)
		}
	}
	if uint64(len(list)) < told.event {
		t.Errorf("%d events of %d are stored", len(list), told.event)
	}
	now := acknowledged{event: uint64(len(list)), minute: verifyRates(t, db, told)}
	verifyFabrics(t, db, dir, told, all)
	return now
}

// verifyRates gives the last minute that is stored.
func verifyRates(t *testing.T, db *DB, told acknowledged) int {
	t.Helper()
	points, err := db.Series(t.Context(), "", ib.GUID(1)<<8, 1, begin, forever)
	if err != nil && !errors.Is(err, ErrNothing) {
		t.Fatal(err)
	}
	known, last := 0.0, 0
	for _, p := range points {
		known += p.Known.Minutes()
		sum, n := 0.0, 0
		from, to := int(p.From.Sub(begin).Minutes()), int(p.To.Sub(begin).Minutes())
		if p.Passes {
			from, to = to, to+1
			last = to - 1
		}
		for m := max(1, from); m < to; m++ {
			sum, n = sum+rateOf(m), n+1
		}
		if !near(p.XmitBytes.Mean, sum/float64(n)) {
			t.Errorf("%+v, want a mean of %v", p, sum/float64(n))
		}
	}
	if last < told.minute || !near(known, float64(last)) {
		t.Errorf("%v minutes are known up to %d, %d were stored", known, last, told.minute)
	}
	return last
}

// verifyFabrics compares the fabrics with what the child had in mind.
func verifyFabrics(t *testing.T, db *DB, dir string, told acknowledged, all bool) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "sweeps"))
	if err != nil && told.minute > 0 {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if !all {
		lines = lines[max(0, len(lines)-8):]
	}
	last := begin.Add(time.Duration(told.minute) * time.Minute)
	for _, line := range lines {
		var at int64
		var sum string
		if _, err := fmt.Sscan(line, &at, &sum); err != nil {
			continue
		}
		f, s, err := db.FabricAt(t.Context(), "", time.Unix(0, at))
		stored := err == nil && s.Until.UnixNano() >= at
		switch {
		case !stored && !last.Before(time.Unix(0, at)):
			t.Errorf("the fabric of minute %d is not stored: %v", (at-begin.UnixNano())/int64(time.Minute), err)
		case stored && s.First.UnixNano() <= at && sumOf(withoutSweep(text(t, f))) != sum && !sweptTwice(data, at, sumOf(withoutSweep(text(t, f)))):
			t.Errorf("the fabric of minute %d is another", (at-begin.UnixNano())/int64(time.Minute))
		}
	}
}

// sweptTwice reports whether another life has swept at the same time, and found that.
func sweptTwice(data []byte, at int64, sum string) bool {
	return strings.Contains(string(data), fmt.Sprintf("%d %s\n", at, sum))
}
