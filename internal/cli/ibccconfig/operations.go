package ibccconfig

import (
	"strings"

	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/madrpc/congestion"
)

// operation is one of the things that can be set.
type operation struct {
	name, alias string
	parameters  string // as the usage text shows them
	run         func(*session, []string) error
}

var operations = []operation{
	{"CongestionKeyInfo", "CK", "<cckey> <cckeyprotectbit> <cckeyleaseperiod> <cckeyviolations>", setKeyInfo},
	{
		"SwitchCongestionSetting", "SS",
		"<controlmap> <victimmask> <creditmask> <threshold> <packetsize> <csthreshold> <csreturndelay> <markingrate>", setSwitch,
	},
	{
		"SwitchPortCongestionSetting", "SP",
		"<portnum> <valid> <control_type> <threshold> <packet_size> <cong_parm_marking_rate>", setPort,
	},
	{"CACongestionSetting", "CS", "<port_control> <control_map> <ccti_timer> <ccti_increase> <trigger_threshold> <ccti_min>", setAdapter},
	{"CongestionControlTable", "CT", "<cctilimit> <index> <cctentry> <cctentry> ...", setTable},
}

func find(name string) *operation {
	for i := range operations {
		if o := &operations[i]; strings.EqualFold(name, o.name) || strings.EqualFold(name, o.alias) {
			return o
		}
	}
	return nil
}

func setKeyInfo(s *session, words []string) error {
	if len(words) != 4 {
		return failed("invalid number of parameters for CongestionKeyInfo")
	}
	r := reader{words: words}
	key := r.number(64)
	protect, lease, violations := r.number(32), r.number(32), r.number(32)
	switch {
	case r.err != nil:
		return r.err
	case protect > 1:
		return failed("invalid cc_keyprotectbit value")
	case lease > 65535:
		return failed("invalid cc_keyleaseperiod value")
	case violations > 65535:
		return failed("invalid cc_keyviolations value")
	}
	v := &cc.CongestionKeyInfo{CCKey: key, Protect: protect == 1, LeasePeriod: uint16(lease), Violations: uint16(violations)}
	return s.set(v, new(cc.CongestionKeyInfo), 0, "congestion key info", func() attribute { return v })
}

func setSwitch(s *session, words []string) error {
	if len(words) != 8 {
		return failed("invalid number of parameters for SwitchCongestionSetting")
	}
	r := reader{words: words}
	v := &cc.SwitchCongestionSetting{
		ControlMap: uint32(r.number(32)), VictimMask: r.mask(), CreditMask: r.mask(),
		Threshold: uint8(r.number(4)), PacketSize: uint8(r.number(8)), CSThreshold: uint8(r.number(4)),
	}
	delay := r.delay()
	v.CSReturnDelay = uint16(delay.Shift)<<14 | delay.Multiplier
	v.MarkingRate = uint16(r.number(16))
	if r.err != nil {
		return r.err
	}
	var have cc.SwitchCongestionSetting
	return s.set(v, &have, 0, "switch congestion setting", func() attribute {
		after := congestion.SwitchAfter(have, *v)
		return &after
	})
}

func setPort(s *session, words []string) error {
	if len(words) != 6 {
		return failed("invalid number of parameters for SwitchPortCongestion")
	}
	r := reader{words: words}
	num := r.number(32)
	setting := cc.PortSetting{Valid: r.number(1) != 0, ControlType: r.number(1) != 0, Threshold: uint8(r.number(4)), PacketSize: uint8(r.number(8))}
	setting.MarkingRate = uint16(r.number(16))
	if r.err != nil {
		return r.err
	}
	ports, err := s.numPorts()
	if err != nil {
		return err
	}
	if num > uint64(ports) {
		return failed("invalid port number specified")
	}
	const what = "switch port congestion setting"
	before, after, block, err := s.agent.PortBlock(s.ctx, int(num), setting)
	if err != nil {
		return &failure{what + " query failed", err}
	}
	if s.DryRun {
		return s.plan(&before, &after, block)
	}
	return s.send(&after, block, what)
}

func setAdapter(s *session, words []string) error {
	if len(words) != 6 {
		return failed("invalid number of parameters for CACongestionSetting")
	}
	r := reader{words: words}
	v := &cc.CACongestionSetting{PortControl: uint16(r.number(16)), ControlMap: uint16(r.number(16))}
	entry := cc.CAEntry{
		Timer: uint16(r.number(16)), Increase: uint8(r.number(8)), TriggerThreshold: uint8(r.number(8)), Min: uint8(r.number(8)),
	}
	if r.err != nil {
		return r.err
	}
	for sl := range v.SLs {
		if v.ControlMap>>sl&1 != 0 {
			v.SLs[sl] = entry
		}
	}
	var have cc.CACongestionSetting
	return s.set(v, &have, 0, "ca congestion setting", func() attribute {
		after := congestion.AdapterAfter(have, *v)
		return &after
	})
}

func setTable(s *session, words []string) error {
	if len(words) < 2 || len(words) > 2+cc.EntriesPerBlock {
		return failed("invalid number of parameters for CongestionControlTable")
	}
	r := reader{words: words}
	limit, block := r.number(16), r.number(32)
	if r.err != nil {
		return r.err
	}
	entries := len(words) - 2
	if limit != 0 && limit+1 != block*cc.EntriesPerBlock+uint64(entries) {
		return failed("invalid number of cct entries input given ccti_limit and index")
	}
	v := &cc.CongestionControlTable{Limit: uint16(limit)}
	for i := range entries {
		v.Entries[i] = r.delay()
	}
	if r.err != nil {
		return r.err
	}
	return s.set(v, new(cc.CongestionControlTable), uint32(block), "congestion control table", func() attribute { return v })
}
