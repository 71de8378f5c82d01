package ibqueryerrors

import (
	"slices"
	"strings"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad/pma"
)

// settings are the tool's own options.
type settings struct {
	*diags.Common
	env    *env.Env
	around diags.Around
	asked  map[string]bool // long options without argument

	suppressed []string      // names of counters
	types      []ib.NodeType // none: all

	thresholdPath string
	thresholds    [counters.NumCounters]uint64
	given         counters.Set // those that the file has
	thresholdText string
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{env: e, asked: make(map[string]bool), thresholdPath: thresholdFile}
	s.around.Again = "Single node discover failed; attempting full scan"
	common, _, err := Tool.Parse(e, s.set)
	if err != nil {
		return nil, err
	}
	s.Common = common
	return s, nil
}

func (s *settings) set(o *getopt.Option, value string) error {
	if taken, err := s.around.Take(s.env, o, value); taken {
		return err
	}
	switch o.Long {
	case "suppress":
		s.suppress(value)
	case "suppress-common":
		s.suppressed = append(s.suppressed, counters.RcvSwitchRelayErrors.String())
	case "threshold-file":
		s.thresholdPath = value
	case "switch":
		s.types = append(s.types, ib.NodeSwitch)
	case "ca":
		s.types = append(s.types, ib.NodeCA)
	case "router":
		s.types = append(s.types, ib.NodeRouter)
	default:
		s.asked[o.Long] = true
	}
	return nil
}

// suppress takes the names that PortCounters has; others are passed over.
func (s *settings) suppress(list string) {
	fields := new(pma.PortCounters).Fields()
	for name := range strings.SplitSeq(list, ",") {
		if _, ok := fields.ByC(name); ok && name != counters.QP1Dropped.String() {
			s.suppressed = append(s.suppressed, name)
		}
	}
}

// reported are the counters that have thresholds, without those that are
// suppressed.
func (s *settings) reported() counters.Set {
	set := withThreshold
	for c := range set.All() {
		if slices.Contains(s.suppressed, c.String()) {
			set &^= counters.SetOf(c)
		}
	}
	return set
}

// withThreshold are the counters that may have thresholds.
var withThreshold = counters.Errors &^ counters.SetOf(counters.QP1Dropped)

// wanted are the counters that are to be read.
func (s *settings) wanted() counters.Set {
	switch {
	case s.asked["counters"]:
		return counters.Traffic
	case s.asked["data"]:
		return withThreshold | counters.Traffic
	}
	return withThreshold
}
