package ibnetdiscover

import (
	"errors"
	"fmt"
	"strconv"

	format "github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/getopt"
)

// settings are the tool's own options.
type settings struct {
	*diags.Common
	full, show, grouping, ports, maxHops bool

	list      bool
	listTypes []ib.NodeType // none: all

	nameMap, cache, loadCache, diff string
	checks                          format.Checks
	outstanding                     int
	output                          string
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, value string) error { return s.set(e, o, value) })
	if err != nil {
		return nil, err
	}
	s.Common = common
	if len(operands) > 0 {
		s.output = operands[0] // more are ignored, as in C
	}
	return s, nil
}

func (s *settings) set(e *env.Env, o *getopt.Option, value string) error {
	switch o.Long {
	case "full":
		s.full = true
	case "show":
		s.show = true
	case "grouping":
		s.grouping = true
	case "ports":
		s.ports = true
	case "max_hops":
		s.maxHops = true
	case "list":
		s.listOf()
	case "Hca_list":
		s.listOf(ib.NodeCA)
	case "Switch_list":
		s.listOf(ib.NodeSwitch)
	case "Router_list":
		s.listOf(ib.NodeRouter)
	case "node-name-map":
		s.nameMap = value
	case "cache":
		s.cache = value
	case "load-cache":
		s.loadCache = value
	case "diff":
		s.diff = value
	case "diffcheck":
		return s.setChecks(e, value)
	case "outstanding_smps":
		s.outstanding, _ = strconv.Atoi(value) // C takes what is no number as 0, the default
	}
	return nil
}

// listOf asks for the list; the last option that does so wins.
func (s *settings) listOf(types ...ib.NodeType) { s.list, s.listTypes = true, types }

func (s *settings) setChecks(e *env.Env, value string) error {
	checks, err := format.ParseChecks(value)
	var bad *format.KeyError
	if errors.As(err, &bad) {
		fmt.Fprintf(e.Stderr, "invalid diff check key: %s\n", escape.Text(bad.Key))
		return Tool.Usage(e)
	}
	s.checks = checks
	return err
}
