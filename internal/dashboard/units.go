package dashboard

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// units are how values are written, by Grafana's names of units.
var units = map[string]func(v float64, decimals *int) string{
	"none":            func(v float64, d *int) string { return number(v, d) },
	"short":           func(v float64, d *int) string { return scaled(v, d, 1000, "", " K", " Mil", " Bil", " Tri") },
	"percentunit":     func(v float64, d *int) string { return number(v*100, d) + "%" },
	"percent":         func(v float64, d *int) string { return number(v, d) + "%" },
	"bytes":           func(v float64, d *int) string { return scaled(v, d, 1024, " B", " KiB", " MiB", " GiB", " TiB") },
	"decbytes":        func(v float64, d *int) string { return scaled(v, d, 1000, " B", " kB", " MB", " GB", " TB") },
	"Bps":             func(v float64, d *int) string { return scaled(v, d, 1000, " B/s", " kB/s", " MB/s", " GB/s", " TB/s") },
	"pps":             func(v float64, d *int) string { return scaled(v, d, 1000, " p/s", " kp/s", " Mp/s", " Gp/s") },
	"cps":             func(v float64, d *int) string { return scaled(v, d, 1000, " c/s", " Kc/s", " Mc/s") },
	"reqps":           func(v float64, d *int) string { return scaled(v, d, 1000, " req/s", " Kreq/s") },
	"s":               seconds,
	"dateTimeAsIso":   iso,
	"bps":             func(v float64, d *int) string { return scaled(v, d, 1000, " b/s", " kb/s", " Mb/s", " Gb/s", " Tb/s") },
	"dateTimeFromNow": iso, // Answers.text knows the time shown
}

func iso(v float64, _ *int) string { return time.UnixMilli(int64(v)).UTC().Format(time.DateTime) }

// number has as many decimals as are asked for, or three digits that tell.
func number(v float64, decimals *int) string {
	if decimals != nil {
		return strconv.FormatFloat(v, 'f', *decimals, 64)
	}
	n := 0
	if a := math.Abs(v); a > 0 && a < 100 {
		n = min(max(2-int(math.Floor(math.Log10(a))), 0), 6)
	}
	s := strconv.FormatFloat(v, 'f', n, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func scaled(v float64, decimals *int, base float64, names ...string) string {
	i := 0
	for math.Abs(v) >= base*0.9995 && i < len(names)-1 {
		v /= base
		i++
	}
	return number(v, decimals) + names[i]
}

// seconds are written in the unit that fits.
func seconds(v float64, decimals *int) string {
	a := math.Abs(v)
	for _, u := range []struct {
		size float64
		name string
	}{{86400, "day"}, {3600, "hour"}, {60, "min"}, {1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if a >= u.size {
			text := number(v/u.size, decimals)
			if u.size > 60 && text != "1" {
				return text + " " + u.name + "s"
			}
			return text + " " + u.name
		}
	}
	return number(v, decimals) + " s"
}

// ago is a time in milliseconds as seen from another one.
func ago(v float64, now time.Time) string {
	d := now.Sub(time.UnixMilli(int64(v)))
	for _, u := range []struct {
		size time.Duration
		one  string
	}{{24 * time.Hour, "a day"}, {time.Hour, "an hour"}, {time.Minute, "a minute"}} {
		switch n := int((d + u.size/2) / u.size); {
		case d < u.size*9/10:
		case n > 1:
			_, word, _ := strings.Cut(u.one, " ")
			return fmt.Sprintf("%d %ss ago", n, word)
		default:
			return u.one + " ago"
		}
	}
	return "a few seconds ago"
}
