package cc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/mad/field/fieldtest"
)

// tests are libibmad's dumpers and what they are compared with.
var tests = []struct {
	dumper string
	make   func() fieldtest.Value
}{
	{"mad_dump_classportinfo", func() fieldtest.Value { return new(cc.ClassPortInfo) }},
	{"mad_dump_cc_congestioninfo", func() fieldtest.Value { return new(cc.CongestionInfo) }},
	{"mad_dump_cc_congestionkeyinfo", func() fieldtest.Value { return new(cc.CongestionKeyInfo) }},
	{"mad_dump_cc_congestionlog", func() fieldtest.Value { return new(cc.CongestionLog) }},
	{"mad_dump_cc_congestionlogswitch", func() fieldtest.Value { return new(cc.CongestionLogSwitch) }},
	{"mad_dump_cc_congestionlogentryswitch", func() fieldtest.Value { return new(cc.SwitchLogEntry) }},
	{"mad_dump_cc_congestionlogca", func() fieldtest.Value { return new(cc.CongestionLogCA) }},
	{"mad_dump_cc_congestionlogentryca", func() fieldtest.Value { return new(cc.CALogEntry) }},
	{"mad_dump_cc_switchcongestionsetting", func() fieldtest.Value { return new(cc.SwitchCongestionSetting) }},
	{"mad_dump_cc_switchportcongestionsettingelement", func() fieldtest.Value { return new(cc.PortSetting) }},
	{"mad_dump_cc_cacongestionsetting", func() fieldtest.Value { return new(cc.CACongestionSetting) }},
	{"mad_dump_cc_cacongestionentry", func() fieldtest.Value { return new(cc.CAEntry) }},
	{"mad_dump_cc_congestioncontroltable", func() fieldtest.Value { return new(cc.CongestionControlTable) }},
	{"mad_dump_cc_congestioncontroltableentry", func() fieldtest.Value { return new(cc.TableEntry) }},
	{"mad_dump_cc_timestamp", func() fieldtest.Value { return new(cc.TimeStamp) }},
}

func TestDumpAgainstLibibmad(t *testing.T) {
	const size = 224
	var dumps []testenv.Dump
	for _, tt := range tests {
		dumps = append(dumps, testenv.Dump{Name: tt.dumper, Func: tt.dumper})
	}
	blocks := testenv.DumpBlocks(size, 300)
	want := testenv.Libibmad(t, size, dumps, blocks)
	for _, tt := range tests {
		for i, data := range blocks {
			v := tt.make()
			if err := v.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want[i][tt.dumper], string(v.AppendDump(nil))); diff != "" {
				t.Fatalf("%s of %x (-libibmad +ibscope)\n%s", tt.dumper, data, diff)
			}
		}
	}
}

// TestEntries checks that entries of a log stand where libibmad's callers look
// for them.
func TestEntries(t *testing.T) {
	var data [224]byte
	for i := range data {
		data[i] = byte(i)
	}
	var sw cc.CongestionLogSwitch
	sw.Decode(&data)
	var ca cc.CongestionLogCA
	ca.Decode(&data)
	for i := range sw.Entries {
		var want cc.SwitchLogEntry
		want.Decode((*[12]byte)(data[40+12*i:]))
		if sw.Entries[i] != want {
			t.Errorf("switch entry %d is %+v, want %+v", i, sw.Entries[i], want)
		}
	}
	for i := range ca.Entries {
		var want cc.CALogEntry
		want.Decode((*[16]byte)(data[12+16*i:]))
		if ca.Entries[i] != want {
			t.Errorf("CA entry %d is %+v, want %+v", i, ca.Entries[i], want)
		}
	}
}
