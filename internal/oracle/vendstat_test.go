package oracle_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// oldSwitches are an adapter (LID 1), an InfiniScale III (LID 5) and IV (LID 6).
const oldSwitches = `vendid=0x2c9
devid=0x673c
sysimgguid=0x1003
caguid=0x1000
Ca	1 "H-1000"		# "node1 HCA-1"
[1](1001) 	"S-2000"[1]		# lid 1 lmc 0 "sw1" lid 5 4xQDR

vendid=0x2c9
devid=0xb924
sysimgguid=0x2003
switchguid=0x2000(2000)
Switch	24 "S-2000"		# "third" enhanced port 0 lid 5 lmc 0
[1]	"H-1000"[1](1001) 		# "node1 HCA-1" lid 1 4xQDR
[2]	"S-3000"[1]		# "fourth" lid 6 4xQDR

vendid=0x2c9
devid=0xbd36
sysimgguid=0x3003
switchguid=0x3000(3000)
Switch	36 "S-3000"		# "fourth" enhanced port 0 lid 6 lmc 0
[1]	"S-2000"[2]		# "third" lid 5 4xQDR
`

// vendstatLines write to the configuration space now and then, of both twins.
var vendstatLines = []string{
	"-h", "-Z", "-D", "", "1", "-N", "-N 1", "-N 5", "-N 6", "-N 6 7 8", "-N 99", "-e -N 99", "-N 0", "-N x", "-N 0xc000", "-N -G 0", "-N -G 0x99", "-N -G 0x2000", "-w",
	"-w 1", "-w 6", "-w 5", "-N -w 6", "-N -w 5", "-i", "-i 6", "-i 6 3", "-i 6 0x24", "-i 6 99", "-e -i 6 99", "-i 5 1", "-e -i 5 1", "-N -i 6", "-w -i 6 3x", "-i 99 1",
	"-c 1", "-c x", "-c 1,x", "-c 0x1,2 6", "-c 1,2 6 3", "-c 1,2,3 6", "-c +1,-2 6", "-c 300,5 6 1", "-c 99999999999,1 6", "-c 99999999999999999999,01 6", "-c 1,2 6 99", "-e -c 1,2 5", "-c 1,2 99", "-i -c 1,2 -R 4 6",
	"-R", "-R zz 6", "-R , 6", "-R '' 6", "-R 4 6", "-R 4,ff 6", "-R 0x4,0xf 6", "-R 0X4 6", "-R 0x 6", "-R -1 6", "-R 5,,7 6", "-R 10x 6", "-R 10,x 6", "-R 1ffffffff 6", "-R 1ffffffffffffffff 6", "-R 4 99",
	"-W 4 6", "-W 4,x 6", "-W 4,12 6", "-W 4,12,f0 6", "-R 4 6", "-R 4,f0 6", "-W 5,7, 6", "-W 8,5,6 -R 8 -W a,1 -R 4 6", "-R 8 -R a 6", "-R 4 -W 4,5 99", "-N -R 4 6", "-c 1,2 -R 4 6", "-R 8",
	"-R 1 -R 2 -R 3 -R 4 -R 5 -R 6 -R 7 -R 8 -R 9 -R a -R b -R c -R d -R e -R f -R 10 6", // what is behind byte 224 libumad2sim cuts off
	"--Rea 4 6", "--Write=4,5 6", "--N 6", "-t 0 -N 6", "-s 5 -N 6", "-s x -N 6", "-L -N 6",
}

// uptime differs from fabric to fabric by when it was started.
var uptime = regexp.MustCompile(`(?m)^hw_uptime: .*$`)

func TestVendstat(t *testing.T) {
	testenv.Need(t, "ibsim", "vendstat", "umad2sim")
	uri := "sim:" + writeFile(t, "old.topo", oldSwitches)
	forC, forUs := serve(t, uri), serve(t, uri)
	for _, line := range vendstatLines {
		t.Run(line, func(t *testing.T) {
			line = strings.ReplaceAll(line, "''", "\"\"")
			sideBySide(t, forC.Ibsim, forUs.Ibsim, "node1 HCA-1", "vendstat "+line, func(s string) string {
				return uptime.ReplaceAllString(s, "UPTIME")
			})
		})
	}
}

// TestVendstatXmitWait: C names ports 21 to 24 and 1 to 4 where 20 to 24 and 1 to 3
// follow on 4 to 19.
func TestVendstatXmitWait(t *testing.T) {
	testenv.Need(t, "ibsim", "vendstat", "umad2sim")
	s := serve(t, "sim:"+writeFile(t, "old.topo", oldSwitches))
	run := func(line string) (theirs, ours result) {
		args := append([]string{"vendstat"}, strings.Fields(line)...)
		return c(t, s.Ibsim, "node1 HCA-1", args...), oursAt(t, "ibsim:"+s.Name, "node1 HCA-1", args...)
	}
	run("-W 10113c,11 -W 11013c,20 -W 11113c,21 -W 11813c,28 5")
	theirs, ours := run("-w 5")
	if want := "Port 4: PortXmitWait 0x11\nPort 19: PortXmitWait 0x20\nPort 20: PortXmitWait 0x21\nPort 3: PortXmitWait 0x28\n"; ours.stdout != want {
		t.Errorf("ours: %q", ours.stdout)
	}
	if want := "Port 4: PortXmitWait 0x11\nPort 19: PortXmitWait 0x20\nPort 21: PortXmitWait 0x21\nPort 4: PortXmitWait 0x28\n"; theirs.stdout != want {
		t.Errorf("C: %q", theirs.stdout)
	}
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
