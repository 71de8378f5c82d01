package pma_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
)

// dumps are libibmad's dumpers by attribute.
var dumps = []testenv.Dump{
	{Name: "ClassPortInfo", Func: "mad_dump_classportinfo"},
	{Name: "PortSamplesControl", Func: "mad_dump_portsamples_control"},
	{Name: "PortSamplesResult", Func: "mad_dump_portsamples_result"},
	{Name: "PortCounters", Func: "mad_dump_perfcounters"},
	{Name: "PortRcvErrorDetails", Func: "mad_dump_perfcounters_rcv_err"},
	{Name: "PortXmitDiscardDetails", Func: "mad_dump_perfcounters_xmt_disc"},
	{Name: "PortOpRcvCounters", Func: "mad_dump_perfcounters_port_op_rcv_counters"},
	{Name: "PortFlowCtlCounters", Func: "mad_dump_perfcounters_port_flow_ctl_counters"},
	{Name: "PortVLOpPackets", Func: "mad_dump_perfcounters_port_vl_op_packet"},
	{Name: "PortVLOpData", Func: "mad_dump_perfcounters_port_vl_op_data"},
	{Name: "PortVLXmitFlowCtlUpdateErrors", Func: "mad_dump_perfcounters_port_vl_xmit_flow_ctl_update_errors"},
	{Name: "PortVLXmitWaitCounters", Func: "mad_dump_perfcounters_port_vl_xmit_wait_counters"},
	{Name: "PortCountersExtended", Func: "mad_dump_perfcounters_ext"},
	{Name: "PortExtendedSpeedsCounters", Func: "mad_dump_port_ext_speeds_counters"},
	{Name: "RSFECSpeedsCounters", Func: "mad_dump_port_ext_speeds_counters_rsfec_active"},
	{Name: "SwPortVLCongestion", Func: "mad_dump_perfcounters_sw_port_vl_congestion"},
	{Name: "PortRcvConCtrl", Func: "mad_dump_perfcounters_rcv_con_ctrl"},
	{Name: "PortSLRcvFECN", Func: "mad_dump_perfcounters_sl_rcv_fecn"},
	{Name: "PortSLRcvBECN", Func: "mad_dump_perfcounters_sl_rcv_becn"},
	{Name: "PortXmitConCtrl", Func: "mad_dump_perfcounters_xmit_con_ctrl"},
	{Name: "PortVLXmitTimeCong", Func: "mad_dump_perfcounters_vl_xmit_time_cong"},
	{Name: "PortXmitDataSL", Func: "mad_dump_perfcounters_xmt_sl"},
	{Name: "PortRcvDataSL", Func: "mad_dump_perfcounters_rcv_sl"},
}

const dataSize = 192

// TestDumpAgainstLibibmad compares the dump of every attribute of the package
// with libibmad's. PortCounters is compared with libibmad's fault put into the
// data: it reads QP1Dropped from the bytes of VL15Dropped.
func TestDumpAgainstLibibmad(t *testing.T) {
	blocks := testenv.DumpBlocks(dataSize, 300)
	want := testenv.Libibmad(t, dataSize, dumps, blocks)
	for _, a := range pma.Attributes() {
		if !slices.ContainsFunc(dumps, func(d testenv.Dump) bool { return d.Name == a.Name }) {
			t.Errorf("%s is not compared", a.Name)
			continue
		}
		for i, data := range blocks {
			if a.ID == pma.AttrPortCounters {
				data = bytes.Clone(data)
				copy(data[20:22], data[22:24])
			}
			if diff := cmp.Diff(want[i][a.Name], dump(t, a, data)); diff != "" {
				t.Fatalf("%s of %x (-libibmad +ibscope)\n%s", a.Name, data, diff)
			}
		}
	}
}

func dump(t *testing.T, a field.Attribute, data []byte) string {
	t.Helper()
	v := a.New()
	if err := v.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	return string(v.AppendDump(nil))
}

// TestQP1Dropped pins the place of QP1Dropped, bytes 20 and 21, which libibmad
// takes for reserved.
func TestQP1Dropped(t *testing.T) {
	var data [dataSize]byte
	copy(data[20:], []byte{0x12, 0x34, 0x56, 0x78})
	var v pma.PortCounters
	v.Decode(&data)
	if v.QP1Dropped != 0x1234 || v.VL15Dropped != 0x5678 {
		t.Errorf("QP1Dropped %#x, VL15Dropped %#x", v.QP1Dropped, v.VL15Dropped)
	}
	got := testenv.Libibmad(t, dataSize, dumps[3:4], [][]byte{data[:]})[0]["PortCounters"]
	if want := "QP1Dropped:......................22136\n"; !bytes.Contains([]byte(got), []byte(want)) {
		t.Errorf("libibmad has no longer its fault:\n%s", got)
	}
}
