package dashboard

import (
	"testing"
	"time"
)

func TestUnits(t *testing.T) {
	none := 0
	for _, c := range []struct {
		unit     string
		value    float64
		decimals *int
		want     string
	}{
		{"short", 5012, nil, "5.01 K"},
		{"short", 999.9, nil, "1 K"},
		{"short", 0, nil, "0"},
		{"none", 1080.4, &none, "1080"},
		{"percentunit", 0.00429, nil, "0.429%"},
		{"bps", 2e11, nil, "200 Gb/s"},
		{"bytes", 3 << 20, nil, "3 MiB"},
		{"s", 0.000182, nil, "182 µs"},
		{"s", 120, nil, "2 min"},
		{"s", 7200, nil, "2 hours"},
		{"dateTimeAsIso", 1000, nil, "1970-01-01 00:00:01"},
	} {
		if got := units[c.unit](c.value, c.decimals); got != c.want {
			t.Errorf("%v %s: %q, expected %q", c.value, c.unit, got, c.want)
		}
	}
	for d, want := range map[time.Duration]string{
		time.Second: "a few seconds ago", 58 * time.Minute: "an hour ago", 50 * time.Minute: "50 minutes ago", 25 * time.Hour: "a day ago", 3 * time.Hour: "3 hours ago",
	} {
		if got := ago(float64(hour.Add(-d).UnixMilli()), hour); got != want {
			t.Errorf("%v: %q, expected %q", d, got, want)
		}
	}
}

// A path says nothing twice: points on a line are one step.
func TestTrail(t *testing.T) {
	var p trail
	p.move(1, 1)
	p.to(2, 1)
	p.to(4, 1)
	p.to(5, 0)
	p.to(5, 3)
	if got := p.path(); got != "M10 10h30l10-10v30" {
		t.Error(got)
	}
}

func TestCut(t *testing.T) {
	if got := cut("node0001 mlx5_0", 12, 60); textWidth(got, 12) > 60 || got == "" || got == "node0001 mlx5_0" {
		t.Errorf("%q", got)
	}
}
