package history

import "time"

// Keep is how long what is kept. Zero fields have the defaults.
type Keep struct {
	Passes    time.Duration // rates of each pass over the counters; 2 hours
	Minutes   time.Duration // of 5 minutes; 2 days
	Hours     time.Duration // of an hour; 30 days
	Days      time.Duration // of a day; 2 years
	Events    time.Duration // 2 years
	Snapshots time.Duration // 2 years
}

const (
	day  = 24 * time.Hour
	year = 365 * day
)

func (k *Keep) complete() {
	for _, d := range []struct {
		at    *time.Duration
		usual time.Duration
	}{
		{&k.Passes, 2 * time.Hour},
		{&k.Minutes, 2 * day},
		{&k.Hours, 30 * day},
		{&k.Days, 2 * year},
		{&k.Events, 2 * year},
		{&k.Snapshots, 2 * year},
	} {
		if *d.at <= 0 {
			*d.at = d.usual
		}
	}
}

// of is how long rates of a level are kept.
func (k *Keep) of(level int) time.Duration {
	return [numLevels]time.Duration{k.Passes, k.Minutes, k.Hours, k.Days}[level]
}
