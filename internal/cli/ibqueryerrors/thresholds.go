package ibqueryerrors

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/internal/cli/diags"
)

// maxLine bounds a line of the file of thresholds.
const maxLine = 1024

// readThresholds reads "name=value" lines. A file that is not there is no error,
// and shows as in C; of one that was asked for it is told.
func (s *settings) readThresholds() {
	s.thresholdText = "(null)"
	f, err := os.Open(s.thresholdPath)
	if err != nil {
		if s.thresholdPath != thresholdFile {
			s.env.Complain("--threshold-file: %v; the thresholds are 0", err)
		}
		return
	}
	defer f.Close()
	s.thresholdText = "Thresholds: "
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, maxLine), maxLine)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), "=")
		c, ok := counters.ByName(name)
		if !ok || !withThreshold.Has(c) || !strings.Contains(lines.Text(), "=") {
			continue
		}
		s.thresholds[c] = diags.LeadingUint(value)
		s.given |= counters.SetOf(c)
		s.thresholdText += fmt.Sprintf("[%s = %d]", name, s.thresholds[c])
	}
}

// beyond are the counters of a port that are beyond their thresholds.
func (s *settings) beyond(sample *counters.Sample) counters.Set {
	var set counters.Set
	for c := range (sample.Has & s.reported()).All() {
		if sample.Values[c] > s.thresholds[c] {
			set |= counters.SetOf(c)
		}
	}
	return set
}
