package saquery

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
)

// settings are what the command line says.
type settings struct {
	*diags.Common
	env *env.Env

	command byte // letter of the option that asks for something else than one query; 0 for none
	print   byte // letter of the option that says what is printed of nodes; 0 for all
	query   *query
	src     string // LIDs or names
	dst     string
	nameMap string
	params  params

	operands []string // of the query
}

// params are the values that PathRecords and MCMemberRecords are selected by.
type params struct {
	numbers map[string]uint64 // by the long name of the option
	gids    map[string]ib.GID
	saKey   *uint64
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{env: e, params: params{numbers: make(map[string]uint64), gids: make(map[string]ib.GID)}}
	common, operands, err := Tool.Parse(e, s.set)
	if err != nil {
		return nil, err
	}
	s.Common = common
	if s.params.saKey != nil {
		s.SAKey = *s.params.saKey
	}
	s.operands = operands
	if s.query == nil && s.command == 0 {
		s.query = findQuery("NodeRecord")
		if len(operands) > 0 {
			if q := findQuery(operands[0]); q != nil {
				s.query, s.operands = q, operands[1:]
			}
		}
	}
	return s, s.check()
}

// check makes sure that there is an operand where the output depends on it.
func (s *settings) check() error {
	missing := ""
	switch {
	case (s.print == 'L' || s.print == 'l' || s.print == 'G') && s.operand() == "":
		missing = "name not specified"
	case s.print == 'O' && len(s.operands) == 0:
		missing = "lid not specified"
	case s.print == 'U' && len(s.operands) == 0:
		missing = "guid not specified"
	case s.print == 'O' && uint16(diags.LeadingUint(s.operand())) == 0:
		missing = "lid invalid"
	default:
		return nil
	}
	fmt.Fprintf(s.env.Stderr, "ERROR: %s\n", missing)
	return Tool.Usage(s.env)
}

// operand is the first operand, "" if there is none.
func (s *settings) operand() string {
	if len(s.operands) == 0 {
		return ""
	}
	return s.operands[0]
}

// set handles one of the tool's options.
func (s *settings) set(o *getopt.Option, value string) error {
	switch o.Long {
	case "N", "c", "s", "g", "m":
		s.command = o.Short
	case "list", "L", "l", "G", "O", "U":
		s.command, s.print = 'N', o.Short
	case "p":
		s.query = findQuery("PathRecord")
	case "x":
		s.query = findQuery("LinkRecord")
	case "S":
		s.query = findQuery("ServiceRecord")
	case "I":
		s.query = findQuery("InformInfoRecord")
	case "src-to-dst":
		return s.setEnds(value)
	case "sgid-to-dgid":
		return s.setGIDs(value)
	case "node-name-map":
		s.nameMap = value
	case "sgid", "dgid", "gid", "mgid":
		return s.setGID(o.Long, value)
	case "smkey":
		key, err := s.secret("SM_Key", value)
		s.params.saKey = &key
		return err
	case "pkey", "qkey":
		key, err := s.secret(map[string]string{"pkey": "P_Key", "qkey": "Q_Key"}[o.Long], value)
		s.params.numbers[o.Long] = key
		return err
	default:
		s.params.numbers[o.Long] = diags.LeadingUint(value)
	}
	return nil
}

// allPaths is NumPath of a query for the paths between two ends.
const allPaths = 0x7f

func (s *settings) setEnds(value string) error {
	var ok bool
	if s.src, s.dst, ok = strings.Cut(value, ":"); !ok {
		return Tool.Usage(s.env)
	}
	s.params.numbers["numb_path"] = allPaths
	s.query = findQuery("PathRecord")
	return nil
}

func (s *settings) setGIDs(value string) error {
	from, to, ok := strings.Cut(value, "-")
	if !ok {
		return Tool.Usage(s.env)
	}
	if err := s.setGID("sgid", from); err != nil {
		return err
	}
	s.params.numbers["numb_path"] = allPaths
	s.query = findQuery("PathRecord")
	return s.setGID("dgid", to)
}

// setGID takes a GID. As in C, one of zeros selects nothing.
func (s *settings) setGID(name, value string) error {
	gid, err := parseGID(value)
	if err != nil {
		return Tool.Usage(s.env)
	}
	delete(s.params.gids, name)
	if !gid.IsZero() {
		s.params.gids[name] = gid
	}
	return nil
}

// parseGID reads a GID; unlike ib.ParseGID it takes no IPv4 address for one.
func parseGID(text string) (ib.GID, error) {
	if !strings.Contains(text, ":") {
		return ib.GID{}, &ib.ParseError{Kind: "GID", Text: text}
	}
	return ib.ParseGID(text)
}

// secret is a key, which is asked for where the value does not begin with a
// digit, so that it does not show in the list of processes.
func (s *settings) secret(what, value string) (uint64, error) {
	if value == "" || !strings.ContainsRune("0123456789abcdefABCDEF", rune(value[0])) {
		var err error
		if value, err = s.env.ReadPassword(what + ": "); err != nil {
			fmt.Fprintf(s.env.Stderr, "cannot get %s\n", what)
			return 0, Tool.Usage(s.env)
		}
	}
	return diags.LeadingUint(value), nil
}
