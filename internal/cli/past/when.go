package past

import (
	"fmt"
	"strconv"
	"time"
)

// forms are the forms of a point in time. Those without a zone are in UTC, as all
// outputs are.
var forms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
}

// units are those that package time does not have.
var units = map[byte]time.Duration{'d': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// Time reads a time: a point in time, or how long ago: "90m", "24h", "7d", "2w".
func Time(text string, now time.Time) (time.Time, error) {
	for _, form := range forms {
		if t, err := time.ParseInLocation(form, text, time.UTC); err == nil {
			return t, nil
		}
	}
	if ago, ok := age(text); ok {
		return now.Add(-ago), nil
	}
	return time.Time{}, fmt.Errorf("%q is no time: expected how long ago, as 90m, 24h or 7d, or a time, as 2026-03-01 or \"2026-03-01 10:00\" (UTC)", text)
}

// age reads how long ago something is.
func age(text string) (time.Duration, bool) {
	d, err := time.ParseDuration(text)
	if n := len(text); err != nil && n > 1 && units[text[n-1]] > 0 {
		const most = 36500 // days
		number, wrong := strconv.ParseFloat(text[:n-1], 64)
		if err = wrong; err == nil && number >= 0 && number <= most {
			d = time.Duration(number * float64(units[text[n-1]]))
		} else {
			return 0, false
		}
	}
	return d, err == nil && d >= 0
}
