package ibqueryerrors

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad/pma"
)

// settings are the tool's own options.
type settings struct {
	*diags.Common
	env   *env.Env
	asked map[string]bool // long options without argument

	suppressed  []string // names of counters
	guid, path  string
	nameMap     string
	loadCache   string
	outstanding int
	types       []ib.NodeType // none: all

	thresholdPath string
	thresholds    map[string]uint64
	thresholdText string
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{env: e, asked: make(map[string]bool), thresholdPath: thresholdFile, thresholds: make(map[string]uint64)}
	common, _, err := Tool.Parse(e, s.set)
	if err != nil {
		return nil, err
	}
	s.Common = common
	return s, nil
}

func (s *settings) set(o *getopt.Option, value string) error {
	switch o.Long {
	case "suppress":
		s.suppress(value)
	case "suppress-common":
		s.suppressed = append(s.suppressed, "PortRcvSwitchRelayErrors")
	case "node-name-map":
		s.nameMap = value
	case "port-guid", "":
		s.guid = value
	case "Direct":
		s.path = value
	case "threshold-file":
		s.thresholdPath = value
	case "load-cache":
		s.loadCache = value
	case "outstanding_smps":
		s.outstanding = int(min(diags.LeadingUint(value), 1<<16))
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
		if _, ok := fields.ByC(name); ok && name != "QP1Dropped" {
			s.suppressed = append(s.suppressed, name)
		}
	}
}

// maxLine bounds a line of the file of thresholds.
const maxLine = 1024

// readThresholds reads "name=value" lines. A file that is not there is no error,
// and shows as in C.
func (s *settings) readThresholds() {
	s.thresholdText = "(null)"
	f, err := os.Open(s.thresholdPath)
	if err != nil {
		return
	}
	defer f.Close()
	s.thresholdText = "Thresholds: "
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, maxLine), maxLine)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), "=")
		if !ok || strings.HasPrefix(name, "#") || !slices.Contains(errorCounters, name) {
			continue
		}
		s.thresholds[name] = diags.LeadingUint(value)
		s.thresholdText += fmt.Sprintf("[%s = %d]", name, s.thresholds[name])
	}
}

// errorCounters are the counters that have thresholds, in the order of the output.
var errorCounters = []string{
	"SymbolErrorCounter", "LinkErrorRecoveryCounter", "LinkDownedCounter", "PortRcvErrors", "PortRcvRemotePhysicalErrors",
	"PortRcvSwitchRelayErrors", "PortXmitDiscards", "PortXmitConstraintErrors", "PortRcvConstraintErrors",
	"LocalLinkIntegrityErrors", "ExcessiveBufferOverrunErrors", "VL15Dropped", "PortXmitWait",
}
