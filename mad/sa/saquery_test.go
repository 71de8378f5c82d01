package sa_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
)

// shim stands between saquery and libibumad: each reply is what a file named like
// the attribute holds, AttributeOffset and records.
const shim = `
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <infiniband/umad.h>

static unsigned char request[256];

int umad_init(void) { return 0; }
int umad_done(void) { return 0; }
int umad_open_port(const char *ca, int port) { return 3; }
int umad_close_port(int fd) { return 0; }
int umad_register(int fd, int class, int version, uint8_t rmpp, long mask[]) { return 0; }
int umad_unregister(int fd, int agent) { return 0; }
int umad_release_port(umad_port_t *port) { return 0; }

int umad_get_port(const char *ca, int num, umad_port_t *port)
{
	memset(port, 0, sizeof *port);
	strcpy(port->ca_name, "shim");
	port->portnum = 1;
	port->base_lid = port->sm_lid = 1;
	port->state = 4;
	port->gid_prefix = 0xfe80;
	return 0;
}

int umad_send(int fd, int agent, void *umad, int len, int timeout, int retries)
{
	memcpy(request, umad_get_mad(umad), 256);
	return 0;
}

int umad_recv(int fd, void *umad, int *len, int timeout)
{
	static unsigned char data[1 << 20];
	unsigned char *m;
	char name[4096];
	FILE *f;
	int n;

	snprintf(name, sizeof name, "%s/%04x", getenv("SHIM_DIR"), request[16] << 8 | request[17]);
	f = fopen(name, "rb");
	n = f ? fread(data, 1, sizeof data, f) : 2;
	if (f)
		fclose(f);
	if (*len < 56 + n - 2) {
		*len = 56 + n - 2;
		errno = ENOSPC;
		return -1;
	}
	memset(umad, 0, umad_size());
	m = umad_get_mad(umad);
	memcpy(m, request, 56);
	m[3] = (m[3] == 2 ? 1 : m[3]) | 0x80;
	memcpy(m + 44, data, 2);
	memcpy(m + 56, data + 2, n - 2);
	*len = 56 + n - 2;
	return 0;
}
`

// queries are saquery's names for records.
var queries = []struct {
	name string
	id   mad.AttrID
	size int // of the C struct, padding included
}{
	{"NR", sa.AttrNodeRecord, 112},
	{"PIR", sa.AttrPortInfoRecord, 72},
	{"SL2VL", sa.AttrSLtoVLMappingTableRecord, 16},
	{"SWIR", sa.AttrSwitchInfoRecord, 24},
	{"LFTR", sa.AttrLinearForwardingTableRecord, 72},
	{"MFTR", sa.AttrMulticastForwardingTableRecord, 72},
	{"SMIR", sa.AttrSMInfoRecord, 32},
	{"IIR", sa.AttrInformInfoRecord, 64},
	{"LR", sa.AttrLinkRecord, 8},
	{"GIR", sa.AttrGUIDInfoRecord, 72},
	{"SR", sa.AttrServiceRecord, 176},
	{"PKTR", sa.AttrPKeyTableRecord, 72},
	{"PR", sa.AttrPathRecord, 64},
	{"VLAR", sa.AttrVLArbitrationTableRecord, 72},
	{"MCMR", sa.AttrMCMemberRecord, 56},
}

// records makes records of random data and of text, without the two places where
// saquery is wrong; see TestSaqueryFaults.
func records(id mad.AttrID, size int) [][]byte {
	random := rand.NewChaCha8([32]byte{2})
	all := [][]byte{testenv.TextBlock(size), make([]byte, size)}
	for range 60 {
		b := make([]byte, size)
		_, _ = random.Read(b)
		all = append(all, b)
	}
	for _, b := range all {
		switch id {
		case sa.AttrMCMemberRecord:
			b[49] = 0
		case sa.AttrPKeyTableRecord:
			b[2] = b[3]
		case sa.AttrNodeRecord:
			makePrintable(b[44:108])
		case sa.AttrServiceRecord:
			makePrintable(b[48:112])
			b[111] = 0
		case sa.AttrInformInfoRecord:
			b[46] &= 1 // generic or not
		}
	}
	return all
}

// makePrintable turns bytes into text; what is done with others is our own.
func makePrintable(b []byte) {
	for i := range b {
		b[i] = ' ' + b[i]%95
	}
}

// runSaquery runs saquery over records of one type.
func runSaquery(t *testing.T, lib string, id mad.AttrID, size int, rows [][]byte, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	data := binary.BigEndian.AppendUint16(nil, uint16(size/8))
	data = append(data, bytes.Join(rows, nil)...)
	files := map[string][]byte{fmt.Sprintf("%04x", uint16(id)): data}
	if id != sa.AttrClassPortInfo {
		info := sa.ClassPortInfo{}
		info.CapMask2 = sa.Cap2MulticastFDBTop
		files["0001"], _ = info.AppendBinary([]byte{0, 9})
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), testenv.Tool(t, "saquery"), args...)
	cmd.Env = append(os.Environ(), "LD_PRELOAD="+lib, "SHIM_DIR="+dir, "LC_ALL=C")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, errOut.String())
	}
	return out.String()
}

// TestTextAgainstSaquery compares the text of each record with that of saquery,
// with and without keys.
func TestTextAgainstSaquery(t *testing.T) {
	testenv.Need(t, "saquery")
	lib := testenv.CompileC(t, shim, "-shared", "-fPIC")
	for _, q := range queries {
		for _, keys := range []bool{false, true} {
			rows := records(q.id, q.size)
			args := []string{q.name}
			if keys {
				args = []string{"-K", q.name}
			}
			o := sa.Text{ShowKeys: keys, CapMask2: sa.Cap2MulticastFDBTop}
			var got []byte
			for _, row := range rows {
				var ok bool
				var err error
				if got, ok, err = o.Append(got, q.id, row); err != nil || !ok {
					t.Fatal(ok, err)
				}
			}
			want := runSaquery(t, lib, q.id, q.size, rows, args...)
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n")); diff != "" {
				t.Errorf("%v (-saquery +ibscope)\n%.2000s", args, diff)
			}
		}
	}
}

// TestClassPortInfoAgainstSaquery compares saquery -c.
func TestClassPortInfoAgainstSaquery(t *testing.T) {
	testenv.Need(t, "saquery")
	lib := testenv.CompileC(t, shim, "-shared", "-fPIC")
	for _, row := range records(sa.AttrClassPortInfo, 72)[:20] {
		got, _, err := new(sa.Text).Append(nil, sa.AttrClassPortInfo, row)
		if err != nil {
			t.Fatal(err)
		}
		want := runSaquery(t, lib, sa.AttrClassPortInfo, 72, [][]byte{row}, "-c")
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("(-saquery +ibscope)\n%s", diff)
		}
	}
}

// TestSaqueryFaults shows what saquery prints that is not what the record holds:
// the block of a PKeyTableRecord has its bytes swapped, and ProxyJoin is read from
// a reserved bit.
func TestSaqueryFaults(t *testing.T) {
	testenv.Need(t, "saquery")
	lib := testenv.CompileC(t, shim, "-shared", "-fPIC")
	key := sa.PKeyTableRecord{LID: 1, Block: 1}
	join := sa.MCMemberRecord{MLID: 0xc000, ProxyJoin: true}
	tests := []struct {
		name           string
		id             mad.AttrID
		record         interface{ AppendBinary([]byte) ([]byte, error) }
		size           int
		theirs, itself string
	}{
		{"PKTR", sa.AttrPKeyTableRecord, &key, 72, "\t\tBlock......................256\n", "\t\tBlock......................1\n"},
		{"MCMR", sa.AttrMCMemberRecord, &join, 56, "\t\tProxyJoin...............0x0\n", "\t\tProxyJoin...............0x1\n"},
	}
	for _, tt := range tests {
		row, _ := tt.record.AppendBinary(nil)
		row = append(row, make([]byte, tt.size-len(row))...)
		if got := runSaquery(t, lib, tt.id, tt.size, [][]byte{row}, tt.name); !strings.Contains(got, tt.theirs) {
			t.Errorf("%s: saquery has no longer its fault:\n%s", tt.name, got)
		}
		if got, _, _ := new(sa.Text).Append(nil, tt.id, row); !strings.Contains(string(got), tt.itself) {
			t.Errorf("%s:\n%s", tt.name, got)
		}
	}
}

// TestTextRefuses checks records that cannot be printed.
func TestTextRefuses(t *testing.T) {
	if _, ok, err := new(sa.Text).Append(nil, sa.AttrTraceRecord, make([]byte, 200)); ok || err != nil {
		t.Errorf("TraceRecord: %v, %v", ok, err)
	}
	if _, ok, err := new(sa.Text).Append(nil, sa.AttrNodeRecord, make([]byte, 107)); !ok || err == nil {
		t.Errorf("107 bytes: %v, %v", ok, err)
	}
}
