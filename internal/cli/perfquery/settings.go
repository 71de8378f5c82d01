package perfquery

import (
	"fmt"
	"math"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad/pma"
)

// settings are what the command line says.
type settings struct {
	*diags.Common
	asked map[string]bool // long options without argument

	to    string  // "" for the local port
	ports []uint8 // more than one for a list or a range
	port  uint8   // the first of them

	mask      uint64 // of counters to reset
	maskGiven bool
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{asked: make(map[string]bool), mask: math.MaxUint64}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, _ string) error {
		s.asked[o.Long] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Common = common
	if s.asked["all_ports"] {
		s.port = pma.AllPorts
	}
	if len(operands) > 0 {
		s.to = operands[0]
	}
	if len(operands) > 1 {
		if s.ports, err = parsePorts(operands[1]); err != nil {
			return nil, err
		}
		s.port = s.ports[0]
	}
	if len(operands) > 2 {
		s.mask, s.maskGiven = diags.LeadingUint(operands[2]), true
	}
	return s, nil
}

// parsePorts reads a port number, a list or a range. Numbers are read as C
// reads them, the part that is one; beyond 255 there is no port, which C takes
// modulo 256, and there it writes a longer list beyond its memory.
func parsePorts(text string) ([]uint8, error) {
	if strings.Contains(text, ",") {
		var ports []uint8
		for part := range strings.SplitSeq(text, ",") {
			if part == "" {
				continue // as strtok(3) does
			}
			port, err := parsePort(part)
			if err != nil {
				return nil, err
			}
			ports = append(ports, port)
		}
		if len(ports) == 0 {
			return []uint8{0}, nil
		}
		if len(ports) > maxPorts {
			return nil, &diags.Fatal{Text: fmt.Sprintf("a list of %d ports, at most %d are possible", len(ports), maxPorts)}
		}
		return ports, nil
	}
	if first, last, ok := strings.Cut(text, "-"); ok {
		return parseRange(first, last)
	}
	port, err := parsePort(text)
	return []uint8{port}, err
}

const maxPorts = 256

func parseRange(first, last string) ([]uint8, error) {
	from, to := diags.LeadingUint(first), diags.LeadingUint(last)
	if from >= to {
		return nil, &diags.Fatal{Text: "max port must be greater than min port in range"}
	}
	if to > math.MaxUint8 {
		return nil, noPort(to)
	}
	var ports []uint8
	for p := from; p <= to; p++ {
		ports = append(ports, uint8(p))
	}
	return ports, nil
}

func parsePort(text string) (uint8, error) {
	n := diags.LeadingUint(text)
	if n > math.MaxUint8 {
		return 0, noPort(n)
	}
	return uint8(n), nil
}

func noPort(n uint64) error {
	return &diags.Fatal{Text: fmt.Sprintf("no port has the number %d, the largest is 255", n)}
}
