package oracle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// runScript gives a Perl script of infiniband-diags a cache folder and a name.
const runScript = `$IBswcountlimits::cache_dir = shift; $0 = shift; my $path = shift; do $path; die $@ if $@;`

// script runs a Perl script of infiniband-diags with a cache of its own.
func script(t *testing.T, sim *testenv.Ibsim, host string, args ...string) result {
	t.Helper()
	path := testenv.Tool(t, args[0])
	perl := append([]string{"-MIBswcountlimits", "-e", runScript, t.TempDir(), args[0], path}, args[1:]...)
	stdout, stderr, code := testenv.RunC(t, sim, host, "perl", perl...)
	return result{stdout, stderr, code}
}

// likeScript compares command lines with those of the script: stdout, exit code,
// and what the script itself says on stderr.
func likeScript(t *testing.T, s *testenv.Ibsim, host string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			args := split(line)
			want, got := script(t, s, host, args...), oursAt(t, "ibsim:"+s.Name, host, args...)
			compare(t, want, got)
			for said := range strings.Lines(want.stderr) {
				if !notOfScript(said) && !strings.Contains(got.stderr, said) {
					t.Errorf("C says on stderr %q, ours\n%s", said, got.stderr)
				}
			}
		})
	}
}

// notOfScript tells the lines that the tools say which a script runs.
func notOfScript(line string) bool {
	return strings.HasPrefix(line, "ibwarn: ") || strings.HasPrefix(line, "./libibnetdisc/") || strings.TrimSpace(line) == ""
}

// tree is a fabric whose port GUIDs follow their nodes' as libumad2sim thinks
// they do, so that queries by GUID work.
const tree = `Switch 8 "leafA"
[1] "host1"[1]
[2] "host2"[1]
[3] "host3"[1]
[5] "spine1"[1]
[6] "spine1"[2]
[7] "spine2"[1]

Switch 8 "leafB"
[1] "node001"[1]
[2] "node002"[1]
[3] "node003"[1]
[4] "node010"[1]
[5] "spine1"[3]
[6] "spine1"[4]
[7] "spine2"[3]
[8] "spine2"[4]

Switch 8 "spine1"
Switch 8 "spine2"
Hca 1 "host1"
Hca 2 "host2"
[2] "spine2"[8]
Hca 1 "host3"
Hca 1 "node001"
Hca 1 "node002"
Hca 1 "node003"
Hca 1 "node010"
`

func treeFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tree.net")
	if err := os.WriteFile(file, []byte(tree), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestScriptCommandLines(t *testing.T) {
	testenv.Need(t, "perl", "check_lft_balance", "ibfindnodesusing", "ibidsverify", "umad2sim")
	s := serve(t, "sim:star?hosts=3")
	likeScript(t, s.Ibsim, "",
		"check_lft_balance", "check_lft_balance -h", "check_lft_balance -x", "check_lft_balance -l x", "check_lft_balance -i x",
		"check_lft_balance -v extra -l x -i y", "check_lft_balance -vlx", "check_lft_balance -l", "check_lft_balance -vh",
		"ibfindnodesusing", "ibfindnodesusing -h", "ibfindnodesusing -x 1 2", "ibfindnodesusing 1", "ibfindnodesusing -C", "ibfindnodesusing -- 1",
		"ibidsverify -h", "ibidsverify -x", "ibidsverify -C", "ibidsverify -P", "ibidsverify -Rh", "ibidsverify -v")
}

func TestIbfindnodesusing(t *testing.T) {
	testenv.Need(t, "perl", "ibfindnodesusing", "umad2sim")
	s := serve(t, "sim:"+treeFile(t)+"?node=host1&sm=on")
	var lines []string
	for sw, ports := range map[string]int{"200000": 4, "0x200001": 8, "0000000000200002": 4, "0x0000000000200003": 8} {
		for port := 1; port <= ports; port++ {
			lines = append(lines, fmt.Sprintf("ibfindnodesusing %s %d", sw, port))
		}
	}
	likeScript(t, s.Ibsim, "host1", append(lines, "ibfindnodesusing 200001 0", "ibfindnodesusing -R 200001 5", "ibfindnodesusing 100000 1",
		"ibfindnodesusing 200009 1", "ibfindnodesusing Nobody 3", "ibfindnodesusing 0xABCDEF 3", "ibfindnodesusing 200001 5 more")...)

	// C finds no switch by its name, and takes any text for a port.
	byName := oursAt(t, "ibsim:"+s.Name, "host1", "ibfindnodesusing", "leafB", "5")
	byGUID := oursAt(t, "ibsim:"+s.Name, "host1", "ibfindnodesusing", "200001", "5")
	if byName.code != 0 || byName.stdout != byGUID.stdout || !strings.Contains(byName.stdout, " node001-002") {
		t.Errorf("by name: %+v", byName)
	}
	for _, port := range []string{"9", "x", "-1", "+5", "256"} {
		if got := oursAt(t, "ibsim:"+s.Name, "host1", "ibfindnodesusing", "200001", port); got.code != 1 || got.stdout != "" {
			t.Errorf("port %s: %+v", port, got)
		}
	}
	if got := oursAt(t, "ibsim:nobody-is-here", "", "ibfindnodesusing", "200001", "5"); got.code != 255 {
		t.Errorf("no fabric: %+v", got)
	}
}

func TestIbidsverify(t *testing.T) {
	testenv.Need(t, "perl", "ibidsverify", "umad2sim")
	for _, uri := range []string{
		"sim:" + treeFile(t) + "?sm=off", "sim:" + treeFile(t) + "?sm=on", "sim:star?hosts=3&sm=off", "sim:director?model=cs7500&sm=off", "sim:subnets?subnets=2",
	} {
		s := serve(t, uri)
		name, _, _ := strings.Cut(filepath.Base(uri), "?") // the script takes no & in the name of its folder
		t.Run(name, func(t *testing.T) { likeScript(t, s.Ibsim, "", "ibidsverify", "ibidsverify -R extra") })
	}
	if got := oursAt(t, "ibsim:nobody-is-here", "", "ibidsverify"); got.code != 255 {
		t.Errorf("no fabric: %+v", got)
	}
}

// brokenTopology has each kind of identifier twice.
const brokenTopology = `
switchguid=0x200001(200002)
Switch	8 "S-0000000000200001"		# "a" base port 0 lid 1 lmc 0
[1]	"H-000000000010000d"[1](10000e) 		# "ca" lid 3 4xSDR

switchguid=0x200003(200002)
Switch	8 "S-0000000000200003"		# "b" base port 0 lid 1 lmc 0
[1]	"H-000000000010001d"[1](10000d) 		# "cb" lid 4 4xSDR
[2]	"H-000000000010001d"[2](200001) 		# "cb" lid 5 4xSDR
[3]	"H-000000000010001d"[3](10002d) 		# "cb" lid 5 4xSDR

switchguid=0x200005(200006)
Switch	8 "S-0000000000200005"		# "c" base port 0 lid 0 lmc 0
[1]	"H-000000000010002d"[1](10001e) 		# "cc" lid 1 4xSDR

caguid=0x10000d
Ca	1 "H-000000000010000d"		# "ca"
[1](10000e) 	"S-0000000000200001"[1]		# lid 3 lmc 0 "a" lid 1 4xSDR

caguid=0x10001d
Ca	3 "H-000000000010001d"		# "cb"
[1](10000d) 	"S-0000000000200003"[1]		# lid 4 lmc 0 "b" lid 1 4xSDR
[2](200001) 	"S-0000000000200003"[2]		# lid 5 lmc 0 "b" lid 1 4xSDR
[3](10002d) 	"S-0000000000200003"[3]		# lid 5 lmc 0 "b" lid 1 4xSDR

caguid=0x10002d
Ca	1 "H-000000000010002d"		# "cc"
[1](10001e) 	"S-0000000000200005"[1]		# lid 1 lmc 0 "c" lid 0 4xSDR
`

// TestIbidsverifyBroken has the script read a topology from an ibnetdiscover that
// prints a file, and ours the file.
func TestIbidsverifyBroken(t *testing.T) {
	testenv.Need(t, "perl", "ibidsverify", "umad2sim")
	dir := t.TempDir()
	file := filepath.Join(dir, "topology")
	if err := os.WriteFile(file, []byte(brokenTopology), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ibnetdiscover"), []byte("#!/bin/sh\ncat "+file+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	want, got := script(t, &testenv.Ibsim{Name: "none"}, "", "ibidsverify"), ours(t, "file:"+file, "ibidsverify")
	compare(t, want, got)
	if n := strings.Count(got.stdout, "\n"); n < 6 || got.code != 1 {
		t.Errorf("%d findings, exit code %d", n, got.code)
	}
}

func TestCheckLFTBalance(t *testing.T) {
	testenv.Need(t, "perl", "check_lft_balance", "umad2sim")
	dir := t.TempDir() // with a name that a shell takes for one word, as the script needs
	for i, uri := range []string{
		"sim:fattree?levels=2&radix=8&hosts=16", "sim:fattree?levels=2&radix=12&hosts=36", "sim:fattree?levels=3&radix=4", "sim:star?hosts=5",
	} {
		t.Run(uri, func(t *testing.T) {
			s := serve(t, uri)
			dump, cache := filepath.Join(dir, fmt.Sprint("lfts", i)), filepath.Join(dir, fmt.Sprint("cache", i))
			if err := os.WriteFile(dump, []byte(oursAt(t, "ibsim:"+s.Name, "", "dump_lfts").stdout), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := oursAt(t, "ibsim:"+s.Name, "", "ibnetdiscover", "--cache", cache); got.code != 0 {
				t.Fatalf("%+v", got)
			}
			files := " -l " + dump + " -i " + cache
			likeScript(t, s.Ibsim, "", "check_lft_balance"+files, "check_lft_balance -v"+files, "check_lft_balance -e -v"+files, "check_lft_balance"+files+" extra")
		})
	}
}

// TestCheckLFTBalanceFiles: C goes on without files that it cannot read.
func TestCheckLFTBalanceFiles(t *testing.T) {
	dir := t.TempDir()
	dump, bad, topology := filepath.Join(dir, "dump"), filepath.Join(dir, "bad"), filepath.Join(dir, "topology")
	table := "Unicast lids [0x0-0x4] of switch Lid 1 guid 0x0000000000200001 (a):\n0x0003 001 : (Channel Adapter portguid 0x1: 'x')\n"
	for file, text := range map[string]string{dump: table, bad: table + "0x0003 1000\n", topology: brokenTopology} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		lfts, topology, stderr string
		code                   int
	}{
		{dump, topology, "", 0},
		{dump + "x", topology, "Couldn't open dump lfts file: " + dump + "x: No such file or directory\n", 255},
		{bad, topology, bad + ":3: expected a LID and a port", 255},
		{dump, topology + "x", "no such file", 255},
		{topology, topology, topology + ": no forwarding tables", 255},
	} {
		got := ours(t, "", "check_lft_balance", "-l", tt.lfts, "-i", tt.topology)
		if got.code != tt.code || !strings.Contains(got.stderr, tt.stderr) {
			t.Errorf("%s %s: %+v", tt.lfts, tt.topology, got)
		}
	}
}
