package pma_test

import (
	"testing"

	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
)

// TestMask checks the bits that select all counters: those of PortCounters and
// PortCountersExtended are what perfquery resets if the agent has all counters.
func TestMask(t *testing.T) {
	tests := []struct {
		name   string
		fields field.Table
		want   uint64
	}{
		{"PortCounters", new(pma.PortCounters).Fields(), 0xffff | 1<<16 | 1<<17},
		{"PortCountersExtended", new(pma.PortCountersExtended).Fields(), 0xff | 0xfff0000 | 1<<28 | 1<<29},
		{"PortExtendedSpeedsCounters", new(pma.PortExtendedSpeedsCounters).Fields(), 1<<38 - 1},
		{"PortVLXmitTimeCong", new(pma.PortVLXmitTimeCong).Fields(), 0x7fff},
		{"PortSLRcvFECN", new(pma.PortSLRcvFECN).Fields(), 0xffff},
		{"PortSamplesResult", new(pma.PortSamplesResult).Fields(), 0},
	}
	for _, tt := range tests {
		if got := tt.fields.Mask(); got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.name, got, tt.want)
		}
	}
}

// TestMax checks where counters of each width stop.
func TestMax(t *testing.T) {
	tests := []struct {
		fields field.Table
		name   string
		want   uint64
	}{
		{new(pma.PortCounters).Fields(), "LocalLinkIntegrityErrors", 15},
		{new(pma.PortCounters).Fields(), "LinkDownedCounter", 255},
		{new(pma.PortCounters).Fields(), "PortXmitData", 1<<32 - 1},
		{new(pma.PortCountersExtended).Fields(), "PortXmitData", 1<<64 - 1},
		{new(pma.PortVLXmitFlowCtlUpdateErrors).Fields(), "PortVLXmitFlowCtlUpdateErrors15", 3},
	}
	for _, tt := range tests {
		f, ok := tt.fields.ByC(tt.name)
		if !ok || f.Max() != tt.want {
			t.Errorf("%s stops at %d, want %d", tt.name, f.Max(), tt.want)
		}
	}
}
