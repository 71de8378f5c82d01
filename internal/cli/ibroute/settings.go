package ibroute

import (
	"bufio"
	"io"

	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
)

// settings are what the command line says.
type settings struct {
	*diags.Common
	env                   *env.Env
	all, brief, multicast bool
	nameMap               string
	operands              []string

	first, last uint32 // LIDs as they were typed; 0 where they were not
	namer       ibnetdiscover.Namer
	out         *bufio.Writer
	incomplete  bool // a part of a table could not be read
	tables      []*table
}

func parse(e *env.Env, tool *diags.Tool) (*settings, error) {
	s := &settings{env: e, out: bufio.NewWriter(e.Stdout)}
	common, operands, err := tool.Parse(e, func(o *getopt.Option, value string) error {
		switch o.Long {
		case "all":
			s.all = true
		case "no_dests":
			s.brief = true
		case "Multicast":
			s.multicast = true
		case "node-name-map":
			s.nameMap = value
		}
		return nil
	})
	s.Common, s.operands = common, operands
	if err == nil && s.JSON {
		s.out = bufio.NewWriter(io.Discard)
	}
	return s, err
}

// takeRange reads the operands that bound the LIDs.
func (s *settings) takeRange(operands []string) {
	if len(operands) > 0 {
		s.first = uint32(diags.LeadingInt(operands[0]))
	}
	if len(operands) > 1 {
		s.last = uint32(diags.LeadingInt(operands[1]))
	}
}

// finish ends a command whose output is written.
func (s *settings) finish() error {
	if s.JSON {
		if err := s.PrintDocument(s.document()); err != nil {
			return err
		}
	}
	if err := s.out.Flush(); err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	if s.incomplete {
		return &diags.Exit{Code: diags.ExitFatal}
	}
	return nil
}
