package vendstat

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
)

// settings are what the command line says.
type settings struct {
	*diags.Common
	to   string // "" for the local port
	port uint32

	general, xmitWait, groups bool
	setGroups                 bool
	chosen                    [2]int32 // with -c
	reads, writes             []mlnx.ConfigRecord
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, value string) error {
		if !s.option(o, value) {
			return Tool.Usage(e)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Common = common
	if len(operands) > 0 {
		s.to = operands[0]
	}
	if len(operands) > 1 {
		s.port = uint32(diags.LeadingUint(operands[1]))
	}
	return s, nil
}

// option takes an option of the tool, and reports whether it was one.
func (s *settings) option(o *getopt.Option, value string) bool {
	switch o.Short {
	case 'N':
		s.general = true
	case 'w':
		s.xmitWait = true
	case 'i':
		s.groups = true
	case 'c':
		s.setGroups = true
		n := scanDecimal(value, &s.chosen)
		return n == len(s.chosen)
	case 'R':
		var v [2]uint32
		v[1] = ^uint32(0)
		if scanHex(value, v[:]) < 1 {
			return false
		}
		s.reads = s.add(s.reads, mlnx.ConfigRecord{Address: v[0], Mask: v[1]})
	case 'W':
		v := [3]uint32{2: ^uint32(0)}
		if scanHex(value, v[:]) < 2 {
			return false
		}
		s.writes = s.add(s.writes, mlnx.ConfigRecord{Address: v[0], Data: v[1], Mask: v[2]})
	}
	return true
}

// add adds a record to those of one kind. As in C there are 18 of each, and more
// are passed over.
func (s *settings) add(list []mlnx.ConfigRecord, r mlnx.ConfigRecord) []mlnx.ConfigRecord {
	if len(list) == mlnx.MaxConfigRecords {
		return list
	}
	return append(list, r)
}
