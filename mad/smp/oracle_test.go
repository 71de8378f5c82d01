package smp_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
)

// oracleSource reads blocks of 64 bytes and prints what libibmad makes of
// each: sections of a line with name and length, and the text; an empty line
// ends a block.
const oracleSource = `
#include <stdio.h>
#include <string.h>
#include <infiniband/mad.h>

static char text[16384];

static void section(const char *name)
{
	printf("%s|%zu\n%s", name, strlen(text), text);
	memset(text, 0, sizeof text);
}

static void dump(const char *name, ib_mad_dump_fn *fn, void *data, int len)
{
	fn(text, sizeof text, data, len);
	section(name);
}

static void fields(const char *name, void *data, int first, int last)
{
	mad_dump_fields(text, sizeof text, data, 64, first, last + 1);
	section(name);
}

int main(void)
{
	unsigned char b[64];

	while (fread(b, sizeof b, 1, stdin) == 1) {
		dump("NodeInfo", mad_dump_nodeinfo, b, 64);
		dump("SwitchInfo", mad_dump_switchinfo, b, 64);
		dump("PortInfo", mad_dump_portinfo, b, 64);
		dump("portstates", mad_dump_portstates, b, 64);
		dump("PortInfoExtended", mad_dump_portinfo_ext, b, 64);
		dump("ExtendedPortInfo", mad_dump_mlnx_ext_port_info, b, 64);
		dump("SLtoVLMappingTable", mad_dump_sltovl, b, 8);
		dump("VLArbitrationTable", mad_dump_vlarbitration, b, 64);
		dump("vlarb 10", mad_dump_vlarbitration, b, 20);
		fields("NodeDescription", b, IB_NODE_DESC_F, IB_NODE_DESC_F);
		fields("Notice", b, IB_NOTICE_IS_GENERIC_F, IB_NOTICE_DATA_DETAILS_F);
		fields("notice views", b, IB_NOTICE_DATA_LID_F, IB_NOTICE_DATA_144_CAPMASK_F);
		fields("SMInfo", b, IB_SMINFO_GUID_F, IB_SMINFO_STATE_F);
		fields("GUIDInfo", b, IB_GI_GUID0_F, IB_GI_GUID7_F);
		fields("LinearForwardingTable", b, IB_LINEAR_FORW_TBL_F, IB_LINEAR_FORW_TBL_F);
		fields("MulticastForwardingTable", b, IB_MULTICAST_FORW_TBL_F, IB_MULTICAST_FORW_TBL_F);
		fields("sltovl raw", b, IB_SLTOVL_MAPPING_TABLE_F, IB_SLTOVL_MAPPING_TABLE_F);
		fields("vlarb raw", b, IB_VL_ARBITRATION_TABLE_F, IB_VL_ARBITRATION_TABLE_F);
		printf("\n");
	}
	return 0;
}
`

// oracle runs libibmad over blocks and gives its sections, block by block.
func oracle(t *testing.T, blocks [][64]byte) []map[string]string {
	t.Helper()
	testenv.Need(t, "gcc", "libibmad-dev")
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "oracle.c"), filepath.Join(dir, "oracle")
	if err := os.WriteFile(src, []byte(oracleSource), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "gcc", "-O1", "-o", bin, src, "-libmad").CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), bin)
	var in bytes.Buffer
	for _, b := range blocks {
		in.Write(b[:])
	}
	run.Stdin = &in
	out, err := run.Output() // libibmad warns on stderr about codes it does not know
	if err != nil {
		t.Fatal(err)
	}
	all := parseSections(t, out)
	if len(all) != len(blocks) {
		t.Fatalf("the oracle answered %d of %d blocks", len(all), len(blocks))
	}
	return all
}

// parseSections reads the output of the oracle.
func parseSections(t *testing.T, out []byte) []map[string]string {
	t.Helper()
	var all []map[string]string
	block := map[string]string{}
	for len(out) > 0 {
		line, rest, _ := bytes.Cut(out, []byte("\n"))
		name, length, ok := strings.Cut(string(line), "|")
		if !ok {
			all, block, out = append(all, block), map[string]string{}, rest
			continue
		}
		n, err := strconv.Atoi(length)
		if err != nil || n > len(rest) {
			t.Fatalf("bad section %q", line)
		}
		block[name], out = string(rest[:n]), rest[n:]
	}
	return all
}

// blocks are all bytes alike, for each byte (which covers every code of every
// enumeration), and random data.
func blocks() [][64]byte {
	var all [][64]byte
	for c := range 256 {
		all = append(all, [64]byte(bytes.Repeat([]byte{byte(c)}, 64)))
	}
	random := rand.NewChaCha8([32]byte{1})
	for range 500 {
		var b [64]byte
		_, _ = random.Read(b[:])
		all = append(all, b)
	}
	return all
}

// TestDumpAgainstLibibmad compares the dump of each attribute with libibmad's.
// NodeDescription and PortInfoExtended are compared by the tests below.
func TestDumpAgainstLibibmad(t *testing.T) {
	data := blocks()
	want := oracle(t, data)
	for _, a := range smp.Attributes() {
		if _, ok := want[0][a.Name]; !ok || a.ID == smp.AttrNodeDescription || a.ID == smp.AttrPortInfoExtended {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			for i := range data {
				v := a.New()
				if err := v.UnmarshalBinary(data[i][:]); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want[i][a.Name], string(v.AppendDump(nil))); diff != "" {
					t.Fatalf("%x (-libibmad +ibscope)\n%s", data[i], diff)
				}
			}
		})
	}
}

// TestViewsAgainstLibibmad compares parts of attributes and second views.
func TestViewsAgainstLibibmad(t *testing.T) {
	data := blocks()
	want := oracle(t, data)
	views := map[string]struct {
		fields field.Table
		names  []string
	}{
		"portstates":   {new(smp.PortInfo).Fields(), []string{"LinkState", "PhysLinkState"}},
		"notice views": {new(smp.Notice).Fields(), []string{"NoticeDataLID", "NoticeDataTrap144LID", "NoticeDataTrap144CapMask"}},
		"sltovl raw":   {new(smp.SLtoVLMappingTable).Fields(), []string{"SLToVLMap"}},
		"vlarb raw":    {new(smp.VLArbitrationTable).Fields(), []string{"VLArbTbl"}},
	}
	for section, view := range views {
		for i := range data {
			var got []byte
			for _, name := range view.names {
				f, ok := view.fields.ByC(name)
				if !ok {
					t.Fatalf("no field %s", name)
				}
				got = f.AppendLine(got, data[i][:])
			}
			if diff := cmp.Diff(want[i][section], string(got)); diff != "" {
				t.Fatalf("%s of %x (-libibmad +ibscope)\n%s", section, data[i], diff)
			}
		}
	}
	for i := range data {
		var v smp.VLArbitrationTable
		v.Decode(&data[i])
		if diff := cmp.Diff(want[i]["vlarb 10"], string(v.AppendEntries(nil, 10))); diff != "" {
			t.Fatalf("10 entries of %x (-libibmad +ibscope)\n%s", data[i], diff)
		}
	}
}

// TestFECBug shows that libibmad reads the HDR and NDR fields of
// PortInfoExtended from the wrong bytes (its table lacks the conversion of bit
// offsets there), and that everything else agrees.
func TestFECBug(t *testing.T) {
	wrong := map[string]int{ // where libibmad reads
		"HDRFECModeSupported": 12, "HDRFECModeEnabled": 18,
		"NDRFECModeSupported": 16, "NDRFECModeEnabled": 22,
	}
	right := map[string]int{ // where IBA has it
		"HDRFECModeSupported": 14, "HDRFECModeEnabled": 16,
		"NDRFECModeSupported": 18, "NDRFECModeEnabled": 20,
	}
	data := blocks()
	want := oracle(t, data)
	fields := new(smp.PortInfoExtended).Fields()
	for i := range data {
		ours := fields.AppendDump(nil, data[i][:])
		asC := bytes.Clone(data[i][:])
		for name, at := range wrong {
			copy(asC[right[name]:][:2], data[i][at:][:2])
		}
		if diff := cmp.Diff(want[i]["PortInfoExtended"], dumpWith(fields, data[i][:], asC, wrong)); diff != "" {
			t.Fatalf("%x (-libibmad +ibscope with its bug)\n%s", data[i], diff)
		}
		for name, at := range right {
			f, _ := fields.ByC(name)
			line := field.Table{{C: name, Offset: uint16(at) * 8, Width: 16, Format: field.Hex}}.AppendDump(nil, data[i][:])
			if int(f.Offset) != at*8 || !bytes.Contains(ours, line) {
				t.Fatalf("%s is not read from byte %d:\n%s", name, at, ours)
			}
		}
	}
}

// dumpWith dumps fields of data, those named in other from second.
func dumpWith(fields field.Table, data, second []byte, other map[string]int) string {
	var out []byte
	for i := range fields {
		src := data
		if _, ok := other[fields[i].C]; ok {
			src = second
		}
		out = fields[i].AppendLine(out, src)
	}
	return string(out)
}

// TestNodeDescBug shows that libibmad loses the end of a long NodeDesc, and
// passes on bytes that act on a terminal.
func TestNodeDescBug(t *testing.T) {
	long := strings.Repeat("a", 50) + "0123456789ABCD"
	tests := []struct{ text, libibmad, ibscope string }{
		{"", "''", "''"},
		{"node1 mlx5_0", "'node1 mlx5_0'", "'node1 mlx5_0'"},
		{"a'b\"c\\d", "'a'b\"c\\d'", "'a'b\"c\\d'"},
		{long[:61], "'" + long[:61] + "'", "'" + long[:61] + "'"},
		{long[:62], "'" + long[:62], "'" + long[:62] + "'"},
		{long, "'" + long[:62], "'" + long + "'"},
		{"é", "'é'", "'é'"},
		{"a\x1b[31m\xffb", "'a\x1b[31m\xffb'", "'a [31m\ufffdb'"},
	}
	var data [][64]byte
	for _, tt := range tests {
		var b [64]byte
		copy(b[:], tt.text)
		data = append(data, b)
	}
	want := oracle(t, data)
	for i, tt := range tests {
		const name = "NodeDesc:........................"
		if got := want[i]["NodeDescription"]; got != name+tt.libibmad+"\n" {
			t.Errorf("libibmad prints %q for %q, expected %q", got, tt.text, tt.libibmad)
		}
		var v smp.NodeDescription
		v.Decode(&data[i])
		if got := string(v.AppendDump(nil)); got != name+tt.ibscope+"\n" {
			t.Errorf("dump of %q = %q, want %q", tt.text, got, tt.ibscope)
		}
	}
}
