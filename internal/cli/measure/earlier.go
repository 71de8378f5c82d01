package measure

import (
	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/survey"
)

// Earlier takes the counters of an earlier snapshot for the first reading of each port
// that was in it, by node GUID and port. Errors are for the command to end with.
func (r *Readings) Earlier(file string) error {
	d, err := format.LoadDocument(file)
	if err != nil {
		return env.Exitf(env.Failed, "--earlier: %w", err)
	}
	if d.Snapshot == nil || d.Snapshot.Counters == nil {
		return env.Exitf(env.Failed, "--earlier: %s has no counters; a snapshot of \"ibscope snapshot --counters\" has", file)
	}
	type key struct {
		guid ib.GUID
		port int
	}
	before := map[key]*counters.Sample{}
	samples := survey.Samples(d.Snapshot)
	for i := range samples {
		s := &samples[i]
		before[key{s.Node.GUID(), s.Num}] = s
	}
	for i := range r.All {
		if last := r.All[i].Last; last != nil {
			r.All[i].First = before[key{last.Node.GUID(), last.Num}]
		}
	}
	return nil
}
