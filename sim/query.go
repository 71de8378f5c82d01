package sim

import (
	"fmt"
	"net/url"
	"os"
	"strconv"
	"time"
)

// TakeOptions reads the parameters latency, hoplatency (as 10us), loss (as 0.01)
// and seed, and removes them from values: what is left is for others. One that
// cannot be read is an Error that wraps os.ErrInvalid.
func TakeOptions(values url.Values) (*Options, error) {
	var o Options
	readers := []struct {
		name string
		read func(string) error
	}{
		{"latency", durationInto(&o.Latency)},
		{"hoplatency", durationInto(&o.HopLatency)},
		{"loss", func(s string) (err error) { o.Loss, err = strconv.ParseFloat(s, 64); return err }},
		{"seed", func(s string) (err error) { o.Seed, err = strconv.ParseUint(s, 0, 64); return err }},
	}
	for _, r := range readers {
		if !values.Has(r.name) {
			continue
		}
		text := values.Get(r.name)
		values.Del(r.name)
		if err := r.read(text); err != nil {
			return nil, &Error{Op: "new", Obj: r.name, Err: fmt.Errorf("cannot read %q: %w", text, os.ErrInvalid)}
		}
	}
	return &o, nil
}

func durationInto(d *time.Duration) func(string) error {
	return func(s string) (err error) { *d, err = time.ParseDuration(s); return err }
}
