package service

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/service/history"
)

// TestHistoryNews: that rates go early is said once for each length, not at each look, and
// when it is over.
func TestHistoryNews(t *testing.T) {
	var out bytes.Buffer
	n := historyNews{logger: slog.New(slog.NewTextHandler(&out, nil))}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i, tt := range []struct {
		passes, minutes time.Time
		want            []string
	}{
		{},
		{passes: at, want: []string{`rates="of passes"`}},
		{passes: at},
		{passes: at, minutes: at, want: []string{"rates=5m0s"}},
		{passes: at, minutes: at},
		{passes: at, want: []string{"level=INFO", "rates=5m0s"}},
		{want: []string{"level=INFO", `rates="of passes"`}},
		{},
		{passes: at, want: []string{"level=WARN", "max_bytes=7"}},
	} {
		out.Reset()
		n.tell(&history.Status{MaxBytes: 7, Rates: []history.Reach{
			{Keep: time.Hour, From: at, EarlySince: tt.passes}, {Interval: 5 * time.Minute, Keep: time.Hour, From: at, EarlySince: tt.minutes},
		}})
		if lines := strings.Count(out.String(), "\n"); lines != min(len(tt.want), 1) {
			t.Errorf("look %d: %d lines: %s", i, lines, &out)
		}
		for _, want := range tt.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("look %d: no %s in %s", i, want, &out)
			}
		}
	}
}
