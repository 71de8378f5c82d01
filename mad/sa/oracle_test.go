package sa_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/sa"
)

// ranges are the fields of records that libibmad knows.
var ranges = []struct {
	dump   testenv.Dump
	fields field.Table
}{
	{testenv.Dump{Name: "ClassPortInfo", First: "IB_CPI_BASEVER_F", Last: "IB_CPI_TRAP_QKEY_F"}, new(sa.ClassPortInfo).Fields()},
	{testenv.Dump{Name: "NodeRecord", First: "IB_SA_NR_FIRST_F", Last: "IB_SA_NR_NODEDESC_F"}, new(sa.NodeRecord).Fields()},
	{testenv.Dump{Name: "GUIDInfoRecord", First: "IB_SA_GIR_LID_F", Last: "IB_SA_GIR_GUID7_F"}, new(sa.GUIDInfoRecord).Fields()},
	{testenv.Dump{Name: "ServiceRecord", First: "IB_SA_SR_ID_F", Last: "IB_SA_SR_DATA_F"}, new(sa.ServiceRecord).Fields()},
	{testenv.Dump{Name: "PathRecord", First: "IB_SA_PR_DGID_F", Last: "IB_SA_PR_SL_F"}, new(sa.PathRecord).Fields()},
	{testenv.Dump{Name: "MultiPathRecord", First: "IB_SA_MP_NPATH_F", Last: "IB_SA_MP_NDEST_F"}, new(sa.MultiPathRecord).Fields()},
	{testenv.Dump{Name: "MCMemberRecord", First: "IB_SA_MCM_MGID_F", Last: "IB_SA_MCM_PROXY_JOIN_F"}, new(sa.MCMemberRecord).Fields()},
}

// TestFieldsAgainstLibibmad compares each field that libibmad knows with what it
// prints. Texts are compared in data that holds some; a ServiceKey is wider than
// libibmad's hexadecimal numbers, which print nothing then.
func TestFieldsAgainstLibibmad(t *testing.T) {
	const size = 200
	var dumps []testenv.Dump
	for _, r := range ranges {
		dumps = append(dumps, r.dump)
	}
	blocks := testenv.DumpBlocks(size, 300)
	text := testenv.TextBlock(size)
	want := testenv.Libibmad(t, size, dumps, blocks)
	for _, r := range ranges {
		for i, data := range blocks {
			for line := range strings.Lines(want[i][r.dump.Name]) {
				name, _, isField := strings.Cut(line, ":.")
				f, ok := r.fields.ByC(name)
				if !ok && !isField {
					continue // the rest of a text with a line end in it
				}
				if !ok {
					t.Fatalf("%s has no field %s", r.dump.Name, name)
				}
				if f.Format == field.Text && !bytes.Equal(data, text) {
					continue
				}
				got := string(f.AppendLine(nil, data))
				if name == "ServRecKey" {
					got = got[:33] + "\n"
				}
				if got != line {
					t.Fatalf("%s of %x\nlibibmad %sibscope  %s", r.dump.Name, data, line, got)
				}
			}
		}
	}
}

// TestMasks checks that the bits of the ComponentMask are those that the fields
// of the table have, by what a query of saquery sends.
func TestMasks(t *testing.T) {
	tests := []struct {
		name      string
		got, want uint64
	}{
		{"NodeRecord LID", sa.CompNodeRecordLID, 1 << 0},
		{"NodeRecord PortGUID", sa.CompNodeRecordPortGUID, 1 << 8},
		{"NodeRecord NodeDescription", sa.CompNodeRecordDescription, 1 << 14},
		{"PortInfoRecord CapMask", sa.CompPortInfoRecordCapMask, 1 << 7},
		{"PortInfoRecord State", sa.CompPortInfoRecordState, 1 << 15},
		{"PortInfoRecord LinkSpeedExtEnabled", sa.CompPortInfoRecordLinkSpeedExtEnabled, 1 << 57},
		{"PortInfoRecord CapMask2", sa.CompPortInfoRecordCapMask2, 1 << 53},
		{"PortInfoRecord RespTimeValue", sa.CompPortInfoRecordRespTimeValue, 1 << 47},
		{"PortInfoRecord OperationalVLs", sa.CompPortInfoRecordOperationalVLs, 1 << 34},
		{"PathRecord ServiceID", sa.CompPathRecordServiceID, 3},
		{"PathRecord SLID", sa.CompPathRecordSLID, 1 << 5},
		{"PathRecord PktLife", sa.CompPathRecordPktLife, 1 << 21},
		{"SMInfoRecord State", sa.CompSMInfoRecordState, 1 << 6},
		{"InformInfoRecord ProducerType", sa.CompInformInfoRecordProducerType, 1 << 15},
		{"GUIDInfoRecord GUIDs", sa.CompGUIDInfoRecordGUIDs, 0xff0},
		{"MCMemberRecord ProxyJoin", sa.CompMCMemberRecordProxyJoin, 1 << 17},
		{"ServiceRecord Data64", sa.CompServiceRecordData64, 3 << 35},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.name, tt.got, tt.want)
		}
	}
	f, _ := new(sa.ServiceRecord).Fields().ByC("ServRecData169")
	if f.C != "" {
		t.Errorf("element 9 of 8: %+v", f)
	}
	for i, name := range []string{"Guid0", "Guid1", "Guid7"} {
		f, ok := new(sa.GUIDInfoRecord).Fields().ByC(name)
		if want := []uint64{1 << 4, 1 << 5, 1 << 11}[i]; !ok || f.Mask != want {
			t.Errorf("%s: mask %#x, want %#x", name, f.Mask, want)
		}
	}
}

func TestStride(t *testing.T) {
	for size, want := range map[int]int{108: 112, 68: 72, 64: 64, 25: 32, 6: 8, 52: 56} {
		if got := sa.Stride(size); got != want || int(sa.AttributeOffset(size))*8 != want {
			t.Errorf("Stride(%d) = %d, want %d", size, got, want)
		}
	}
}
