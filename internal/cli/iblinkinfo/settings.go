package iblinkinfo

import (
	"errors"
	"fmt"

	format "github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/getopt"
)

// settings are the tool's own options.
type settings struct {
	*diags.Common
	env *env.Env

	guid, path        string // the node to look at; "" for all
	all               bool
	hops, outstanding int

	nameMap, loadCache, diff, downBefore string

	checks format.Checks
	format format.Options
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{env: e, checks: format.DefaultChecks}
	common, _, err := Tool.Parse(e, s.set) // operands are ignored, as in C
	if err != nil {
		return nil, err
	}
	s.Common = common
	return s, nil
}

func (s *settings) set(o *getopt.Option, value string) error {
	switch o.Long {
	case "node-name-map":
		s.nameMap = value
	case "switch", "port-guid":
		s.guid = value
	case "Direct":
		s.path = value
	case "all":
		s.all = true
	case "hops":
		s.hops = number(value)
	case "down":
		s.format.Down = true
	case "line":
		s.format.Line = true
	case "additional":
		s.format.Additional = true
	case "load-cache":
		s.loadCache = value
	case "diff":
		s.diff = value
	case "diffcheck":
		return s.setChecks(value)
	case "filterdownports":
		s.downBefore = value
	case "outstanding_smps":
		s.outstanding = number(value)
	case "switches-only":
		s.format.Type = ib.NodeSwitch
	case "cas-only":
		s.format.Type = ib.NodeCA
	}
	return nil
}

// number reads a count; more than there can be counts as that.
func number(value string) int { return int(min(diags.LeadingUint(value), 1<<16)) }

func (s *settings) setChecks(value string) error {
	checks, err := format.ParseChecks(value)
	var bad *format.KeyError
	if errors.As(err, &bad) {
		fmt.Fprintf(s.env.Stderr, "invalid diff check key: %s\n", escape.Text(bad.Key))
		return Tool.Usage(s.env)
	}
	s.checks = checks
	return err
}
