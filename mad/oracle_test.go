package mad

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

// encodeSource reads lines "class method attr mod mkey tid lid slid dlid
// hops ports…" and prints for each what libibmad makes of them: the packet in
// hexadecimal and the text of the destination.
const encodeSource = `
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <infiniband/mad.h>

int main(void)
{
	unsigned char packet[256], data[64];
	int i, lid, slid, dlid, hops, port;

	for (i = 0; i < 64; i++)
		data[i] = i;
	for (;;) {
		ib_rpc_t rpc;
		ib_portid_t to;

		memset(&rpc, 0, sizeof rpc);
		memset(&to, 0, sizeof to);
		memset(packet, 0, sizeof packet);
		if (scanf("%i %i %i %i %" SCNx64 " %" SCNx64 " %i %i %i %i", &rpc.mgtclass, &rpc.method, (int *)&rpc.attr.id,
			  (int *)&rpc.attr.mod, &rpc.mkey, &rpc.trid, &lid, &slid, &dlid, &hops) != 10)
			return 0;
		to.lid = lid;
		to.drpath.drslid = slid;
		to.drpath.drdlid = dlid;
		to.drpath.cnt = hops;
		for (i = 1; i <= hops; i++) {
			if (scanf("%i", &port) != 1)
				return 1;
			to.drpath.p[i] = port;
		}
		rpc.dataoffs = IB_SMP_DATA_OFFS;
		rpc.datasz = IB_SMP_DATA_SIZE;
		mad_encode(packet, &rpc, &to.drpath, data);
		for (i = 0; i < 256; i++)
			printf("%02x", packet[i]);
		printf(" %s\n", portid2str(&to));
	}
}
`

// TestAgainstLibibmad compares requests and the text of their destinations
// with libibmad's.
func TestAgainstLibibmad(t *testing.T) {
	testenv.Need(t, "gcc", "libibmad-dev")
	targets := []Target{
		ByLID(5),
		{},
		ByPath(path(t, 1)), ByPath(path(t, 1, 2, 255)),
		{LID: 0xbfff, SLID: 3, Path: path(t, 4, 5)},
	}
	var lines []string
	for _, to := range targets {
		lines = append(lines, requestLine(to))
	}
	out := runEncoder(t, strings.Join(lines, "\n")+"\n")
	if len(out) != len(targets) {
		t.Fatalf("libibmad answered %d of %d requests", len(out), len(targets))
	}
	for i, to := range targets {
		packet, text, _ := strings.Cut(out[i], " ")
		var p Packet
		p.Init(to.SMPClass(), MethodSet, 0x15, 0x80000003)
		p.SetMKey(0x0102030405060708)
		p.SetTID(0x1112131415161718)
		to.Route(&p)
		for j := range p.SMPData() {
			p.SMPData()[j] = byte(j)
		}
		if diff := cmp.Diff(packet, hex.EncodeToString(p[:])); diff != "" {
			t.Errorf("%v (-libibmad +ibscope)\n%s", to, diff)
		}
		// libibmad shows the LIDs of a wholly directed route as they stand in
		// its structure, 0 unless somebody made them permissive.
		if !to.IsDirected() || to.LID != 0 {
			if got := to.String(); got != text {
				t.Errorf("destination %q, libibmad says %q", got, text)
			}
		}
	}
}

// requestLine is the input of the encoder for a request to a target.
func requestLine(to Target) string {
	slid, dlid := ib.LID(0), ib.LID(0)
	if to.IsDirected() {
		slid, dlid = orPermissive(to.SLID), ib.PermissiveLID
	}
	line := fmt.Sprintf("%d 2 0x15 0x80000003 0102030405060708 1112131415161718 %d %d %d %d",
		to.SMPClass(), to.LID, slid, dlid, to.Path.Len())
	for i := range to.Path.Len() {
		line += fmt.Sprintf(" %d", to.Path.Hop(i))
	}
	return line
}

func runEncoder(t *testing.T, input string) []string {
	t.Helper()
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "encode.c"), filepath.Join(dir, "encode")
	if err := os.WriteFile(src, []byte(encodeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "gcc", "-O1", "-o", bin, src, "-libmad").CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), bin)
	run.Stdin = strings.NewReader(input)
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}
