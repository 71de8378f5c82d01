package past

import (
	"testing"
	"time"
)

func TestTime(t *testing.T) {
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"90m":                         now.Add(-90 * time.Minute),
		"24h":                         now.Add(-24 * time.Hour),
		"7d":                          now.AddDate(0, 0, -7),
		"1.5d":                        now.Add(-36 * time.Hour),
		"2w":                          now.AddDate(0, 0, -14),
		"0s":                          now,
		"2026-03-01":                  time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
		"2026-03-01 10:00":            time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
		"2026-03-01T10:00:05":         time.Date(2026, 3, 1, 10, 0, 5, 0, time.UTC),
		"2026-03-01T10:00:05Z":        time.Date(2026, 3, 1, 10, 0, 5, 0, time.UTC),
		"2026-03-01T12:00:05.5+02:00": time.Date(2026, 3, 1, 10, 0, 5, 5e8, time.UTC),
	} {
		if got, err := Time(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%s is %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "d", "x", "-1h", "-1d", "1e9d", "NaNd", "Infd", "2026-13-01", "yesterday", "10:00"} {
		if got, err := Time(text, now); err == nil {
			t.Errorf("%q is %s", text, got)
		}
	}
}

func TestSpan(t *testing.T) {
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		since, until string
		ok           bool
	}{{"24h", "", true}, {"", "", true}, {"24h", "1h", true}, {"1h", "24h", false}, {"x", "", false}, {"", "x", false}} {
		s := &Span{Since: tt.since, Until: tt.until}
		if err := s.Check(now); (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}
