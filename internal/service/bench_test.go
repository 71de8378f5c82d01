package service

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/service/api"
)

// BenchmarkAnswers asks a service, over TCP, that sweeps a simulated fabric in the same
// process as fast as it can, and reads its counters: the median, the time that 99 of 100
// answers take less than, and the memory in use.
func BenchmarkAnswers(b *testing.B) {
	for name, topology := range map[string]string{
		"1344": "sim:fattree?levels=3&radix=16&hosts=1024", "11438": "sim:fattree?levels=3&radix=36&hosts=10000",
	} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b)
			defer w.close()
			c := complete(b, "f="+topology)
			c.Fabrics[0].Refresh.Every, c.Fabrics[0].Verify.Every, c.Fabrics[0].Counters.Every = 2*time.Second, 10*time.Second, 5*time.Second
			w.run(c)
			server := httptest.NewServer(w.service.Handler())
			defer server.Close()
			for w.service.States()[0].Pass.Count < 2 {
				time.Sleep(100 * time.Millisecond)
			}
			for _, path := range []string{
				"/metrics", api.Prefix + "/fabrics", api.Prefix + "/fabrics/f/links?limit=100", api.Prefix + "/fabrics/f/links?sort=-utilisation&limit=20",
				api.Prefix + "/fabrics/f/nodes?q=node0042", api.Prefix + "/fabrics/f/health", api.Prefix + "/fabrics/f/map",
			} {
				b.Run(path, func(b *testing.B) { answers(b, server.URL+path) })
			}
		})
	}
}

func answers(b *testing.B, url string) {
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url, nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "gzip") // and leave it packed: unpacking is the client's time
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			b.Fatal(answer.Status, err)
		}
		answer.Body.Close()
		took = append(took, time.Since(began))
		time.Sleep(10 * time.Millisecond)
	}
	slices.Sort(took)
	const milli = 1e6
	b.ReportMetric(float64(took[len(took)/2])/milli, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100])/milli, "p99-ms")
	b.ReportMetric(float64(measure().heap)/(1<<20), "heap-MB")
	b.ReportMetric(0, "ns/op")
}
