package day

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/service"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/sim/scenario"
	"github.com/ibscope/ibscope/watch"
)

const (
	length = 24 * time.Hour
	warm   = 70 * time.Minute // before the day begins
	every  = 2 * time.Minute  // between two scrapes
	target = "ibscope.example:9805"
)

// live lets the day pass in virtual time. Each scrape goes to take.
func live(t *testing.T, take func(scrape)) (start time.Time) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		file, err := os.Open("testdata/day.yaml")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		sc, err := scenario.Load(file, file.Name())
		if err != nil {
			t.Fatal(err)
		}
		simulator, err := source.OpenScenario(sc, sc.URI)
		if err != nil {
			t.Fatal(err)
		}
		defer simulator.Fabric.Close()
		time.Sleep(24*time.Hour - warm) // virtual time begins at midnight, and so does the day
		s := newService(t, simulator)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		defer func() {
			cancel()
			if err := <-done; err != nil {
				t.Errorf("the service ended with %v", err)
			}
			s.Close()
		}()
		for start = time.Now().Add(warm); time.Now().Before(start); { // what rates need
			time.Sleep(every)
			take(scrapeOf(t, s.Handler()))
		}
		runner, err := sc.Start(ctx, simulator.Fabric)
		if err != nil {
			t.Fatal(err)
		}
		defer runner.Close()
		for time.Since(start) < length {
			time.Sleep(every)
			take(scrapeOf(t, s.Handler()))
		}
	})
	return start
}

func newService(t *testing.T, simulator *source.Simulator) *service.Service {
	t.Helper()
	c := &config.Config{Fabrics: []config.Fabric{{
		Name: "cluster", Source: "sim:",
		Refresh: watch.Pace{Every: time.Minute}, Verify: watch.Pace{Every: 30 * time.Minute}, Counters: watch.Pace{Every: every},
	}}}
	c.Complete()
	s, err := service.New(t.Context(), c, &service.World{
		Version: "1.0.0", Program: "ibscope",
		Open: func(context.Context, string) (*service.Source, error) {
			port, err := simulator.Fabric.Attach(nil)
			return &service.Source{Transport: port}, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scrape is what the service said, when, and how long it took: of the processor's time,
// for the clock stands still meanwhile.
type scrape struct {
	at   time.Time
	text []byte
	took time.Duration
}

func scrapeOf(t *testing.T, h http.Handler) scrape {
	began, out := elapsed(), httptest.NewRecorder()
	out.Body = new(bytes.Buffer)
	h.ServeHTTP(out, httptest.NewRequest(http.MethodGet, "http://localhost/metrics", http.NoBody))
	if out.Code != http.StatusOK {
		t.Errorf("a scrape: %d %s", out.Code, out.Body)
	}
	return scrape{time.Now(), out.Body.Bytes(), elapsed() - began}
}

// elapsed is the time of the processor that this process has used: it does not stand still
// in virtual time, and what else the machine does is not in it.
func elapsed() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano())
}
