package ibportstate

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/madrpc/portcontrol"
)

// operation is one of the words that move the port, of which one is possible.
type operation struct {
	name        string
	state       ib.PortState
	phys        ib.PhysState
	onlyIfOff   bool
	isDisabling bool
}

const query = "query"

var operations = []operation{
	{name: query},
	{name: "enable", phys: ib.PhysPolling},
	{name: "reset", phys: ib.PhysPolling},
	{name: "disable", phys: ib.PhysDisabled, isDisabling: true},
	{name: "down", state: ib.PortDown},
	{name: "arm", state: ib.PortArmed},
	{name: "active", state: ib.PortActive},
	{name: "on", phys: ib.PhysPolling, onlyIfOff: true},
	{name: "off", phys: ib.PhysDisabled, isDisabling: true},
}

// setting is one of the words that are followed by a value.
type setting struct {
	name    string
	what    string // in the message for a bad value, which "%d" or "0x%x" ends
	isValid func(v uint64) bool
	set     func(*request, uint64)
}

func upTo(most uint64) func(uint64) bool { return func(v uint64) bool { return v <= most } }

func fromOne(most uint64) func(uint64) bool {
	return func(v uint64) bool { return v >= 1 && v <= most }
}

func isWidth(v uint64) bool { return v <= 31 || v == 255 }

var settings = []setting{
	{"speed", "speed value %d", upTo(15), func(r *request, v uint64) { r.change.LinkSpeedEnabled = uint8(v) }},
	{"espeed", "extended speed value %d", upTo(31), func(r *request, v uint64) { r.change.LinkSpeedExtEnabled = uint8(v) }},
	{"fdr10", "fdr10 speed value %d", upTo(1), func(r *request, v uint64) { r.fdr10 = new(v == 1) }},
	{"width", "width value %d", isWidth, func(r *request, v uint64) { r.change.LinkWidthEnabled = ib.LinkWidth(v) }},
	{"vls", "vls value %d", fromOne(5), func(r *request, v uint64) { r.change.OperationalVLs = ib.VLCap(v) }},
	{"mtu", "mtu value %d", fromOne(5), func(r *request, v uint64) { r.change.NeighborMTU = ib.MTU(v) }},
	{"lid", "lid value 0x%x", fromOne(uint64(ib.MaxUnicastLID)), func(r *request, v uint64) { r.change.LID = ib.LID(v) }},
	{"smlid", "smlid value 0x%x", fromOne(uint64(ib.MaxUnicastLID)), func(r *request, v uint64) { r.change.SMLID = ib.LID(v) }},
	{"lmc", "lmc value %d", upTo(7), func(r *request, v uint64) { r.change.LMC = new(uint8(v)) }},
	{"mkey", "", upTo(1<<64 - 1), func(r *request, v uint64) { r.change.MKey = &v }},
	{"mkeylease", "mkey lease time %d", upTo(1<<16 - 1), func(r *request, v uint64) { r.change.MKeyLeasePeriod = new(uint16(v)) }},
	{"mkeyprot", "mkey protection bit setting %d", upTo(3), func(r *request, v uint64) { r.change.MKeyProtect = new(uint8(v)) }},
}

// request is what the operands ask for.
type request struct {
	op     *operation // nil until one is named, then query or another
	change portcontrol.Change
	fdr10  *bool
	isSet  bool // some value is to be set
}

// changes reports whether the port is to be changed.
func (r *request) changes() bool { return r.isSet || r.op.name != query }

// setsOwner reports whether a field of the M_Key is to be set.
func (r *request) setsOwner() bool {
	c := &r.change
	return c.MKey != nil || c.MKeyLeasePeriod != nil || c.MKeyProtect != nil
}

// parseRequest reads the operands behind the port number. askKey asks for an
// M_Key where the operand is not a number.
func parseRequest(words []string, askKey func() (uint64, error)) (*request, error) {
	r := &request{}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if op := findOperation(word); op != nil {
			if r.op != nil {
				return nil, fatal("%s only one of: query, enable, disable, reset, down, arm, active, can be specified", word)
			}
			r.op = op
			continue
		}
		s := findSetting(word)
		if s == nil {
			return nil, fatal("invalid operation: %s", word)
		}
		if len(words) == 0 {
			return nil, fatal("%s requires an additional parameter", word)
		}
		v, err := s.value(words[0], askKey)
		if err != nil {
			return nil, err
		}
		s.set(r, v)
		r.isSet = true
		words = words[1:]
	}
	if r.op == nil {
		r.op = &operations[0]
	}
	r.change.State, r.change.Phys = r.op.state, r.op.phys
	return r, nil
}

func (s *setting) value(text string, askKey func() (uint64, error)) (uint64, error) {
	if s.name == "mkey" {
		v, err := diags.WholeUint(text)
		if err != nil {
			return askKey()
		}
		return v, nil
	}
	v := diags.LeadingUint(text)
	if !s.isValid(v) {
		return 0, fatal("invalid "+s.what, v)
	}
	return v, nil
}

func findOperation(word string) *operation {
	for i := range operations {
		if operations[i].name == word {
			return &operations[i]
		}
	}
	return nil
}

func findSetting(word string) *setting {
	for i := range settings {
		if settings[i].name == word {
			return &settings[i]
		}
	}
	return nil
}

func fatal(format string, args ...any) error {
	return &diags.Fatal{Text: fmt.Sprintf(format, args...)}
}

// words are all that may stand behind the port.
func words() (list []string) {
	for i := range operations {
		list = append(list, operations[i].name)
	}
	for i := range settings {
		list = append(list, settings[i].name)
	}
	return list
}
