package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

// large is an API about a fabric of 1,344 nodes.
func large(b *testing.B) *API {
	b.Helper()
	f, err := gen.Parse("fattree?levels=3&radix=16&hosts=1024")
	if err != nil {
		b.Fatal(err)
	}
	s := watch.Static("main", "sim:", f, totals(f))
	s.Stored, s.Connected = false, true
	states := []*watch.State{s}
	a := New(&Options{States: func() []*watch.State { return states }, Log: event.NewLog(10, 1), Started: time.Now()})
	a.Prepare()
	return a
}

func BenchmarkAPI(b *testing.B) {
	a := large(b)
	for name, path := range map[string]string{
		"fabrics": "/fabrics", "links": "/fabrics/main/links?limit=10000", "search": "/fabrics/main/nodes?q=node0042", "nodes": "/fabrics/main/nodes?limit=10000",
		"busiest": "/fabrics/main/links?sort=-utilisation&limit=20", "trace": "/fabrics/main/trace?from=node0001&to=node0900", "ports": "/fabrics/main/ports?limit=1000",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out := httptest.NewRecorder()
				a.ServeHTTP(out, httptest.NewRequest(http.MethodGet, Prefix+path, nil))
				if out.Code != http.StatusOK {
					b.Fatal(out.Body)
				}
			}
		})
	}
}

// BenchmarkPrepare is what a new fabric costs once.
func BenchmarkPrepare(b *testing.B) {
	a := large(b)
	s := a.o.States()[0]
	for b.Loop() {
		newIndex(s.Fabric, nil)
	}
}
