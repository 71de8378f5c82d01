package ibccquery

import (
	"strings"

	"github.com/ibscope/ibscope/mad/cc"
)

// operation is one of the things that can be asked.
type operation struct {
	name, alias string
	takesPort   bool
	run         func(*query) error
}

// operations makes the table of all.
func operations() []operation {
	return []operation{
		{"ClassPortInfo", "CP", false, whole("ClassPortInfo", "class port info", func() attribute { return new(cc.ClassPortInfo) })},
		{"CongestionInfo", "CI", false, whole("CongestionInfo", "congestion info", func() attribute { return new(cc.CongestionInfo) })},
		{"CongestionKeyInfo", "CK", false, whole("CongestionKeyInfo", "congestion key info", func() attribute { return new(cc.CongestionKeyInfo) })},
		{"CongestionLog", "CL", false, congestionLog},
		{"SwitchCongestionSetting", "SS", false, whole("SwitchCongestionSetting", "switch congestion setting", func() attribute { return new(cc.SwitchCongestionSetting) })},
		{"SwitchPortCongestionSetting", "SP", true, portSetting},
		{"CACongestionSetting", "CS", false, adapterSetting},
		{"CongestionControlTable", "CT", false, controlTable},
		{"Timestamp", "TI", false, whole("Timestamp", "timestamp", func() attribute { return new(cc.TimeStamp) })},
	}
}

func find(name string) *operation {
	for _, o := range operations() {
		if strings.EqualFold(name, o.name) || strings.EqualFold(name, o.alias) {
			return &o
		}
	}
	return nil
}

// whole shows an attribute that is no table.
func whole(name, what string, empty func() attribute) func(*query) error {
	return func(q *query) error {
		v := empty()
		if err := q.get(v, 0, what); err != nil {
			return err
		}
		q.heading(name)
		q.printf("%s", v.AppendDump(nil))
		return nil
	}
}
