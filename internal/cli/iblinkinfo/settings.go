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
	env    *env.Env
	around diags.Around
	all    bool // print all nodes around the one that is named

	diff, downBefore string

	checks format.Checks
	format format.Options
	found  document
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{env: e, checks: format.DefaultChecks, found: document{Links: []link{}, Unlinked: []end{}}}
	s.around = diags.Around{Again: "Partial fabric scan failed; attempting full scan", Blank: true}
	common, _, err := Tool.Parse(e, s.set) // operands are ignored, as in C
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
	case "all":
		s.all = true
	case "down":
		s.format.Down = true
	case "line":
		s.format.Line = true
	case "additional":
		s.format.Additional = true
	case "diff":
		s.diff = value
	case "diffcheck":
		return s.setChecks(value)
	case "filterdownports":
		s.downBefore = value
	case "switches-only":
		s.format.Type = ib.NodeSwitch
	case "cas-only":
		s.format.Type = ib.NodeCA
	}
	return nil
}

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
