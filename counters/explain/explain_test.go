package explain

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/counters"
)

// TestAllCounters makes sure that no counter is without words, and that an error
// has all of them, in sentences.
func TestAllCounters(t *testing.T) {
	for c := range counters.All.All() {
		e := Of(c)
		texts := []string{e.Meaning}
		if counters.Errors.Has(c) {
			texts = append(texts, e.Cause, e.Action)
		}
		for _, text := range texts {
			if !strings.HasSuffix(text, ".") {
				t.Errorf("%s: %q is no sentence", c, text)
			}
		}
		if e.Counter != c || e.Unit == "" || counters.Errors.Has(c) == (e.Severity == Traffic) {
			t.Errorf("%s: %+v", c, e)
		}
	}
	if e := Of(counters.NumCounters); e.Meaning != "" {
		t.Errorf("what is no counter is explained: %+v", e)
	}
}
