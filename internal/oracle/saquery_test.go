package oracle_test

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// saLines are command lines of saquery for that topology.
var saLines = []string{
	"", "-N", "NR {Hca1}", "NodeRecord {Switch1}", "nr 0x{Hca1}", "NR 0x7000", "NR 99999", "NR 0", "NR ''", "NR Hca2", "NR nosuch", "Hca2", "nosuch", "{Hca1}",
	"-N Hca1", "-N nosuch", "-L Hca1", "-l Hca1", "-l nosuch", "-L nosuch", "-G Hca1", "-G Switch1", "-G", "-L", "-l", "-O {Hca1}", "-O 0x7000", "-O", "-O 0", "-O x",
	"-U {guid Hca1:1}", "-U 1", "-U", "-D", "--list", "-D Hca1", "-s", "-g", "-m", "-m 0xc000", "-m 0xc001", "-m x", "-x", "-c", "-S", "-I",
	"CPI", "ClassPortInfo", "classportinfo", "PIR", "PIR {Hca1}", "PIR {Hca1}/1", "PIR {Switch1}/3", "PIR {Switch1}/0/0", "PIR {Switch1}/0/1", "PIR /1", "PIR Hca1/1", "PIR {Hca1}//0",
	"PIR {Hca1}/x/1", "PIR -K {Hca1}/1", "-K PIR {Hca1}/1",
	"SL2VL {Hca1}", "SL2VL {Switch1}/1/2", "SL2VL {Switch1}//2", "PKTR", "PKTR {Hca1}", "PKTR {Switch1}/1/0", "PKTR {Switch1}/1/7",
	"VLAR", "VLAR {Hca1}/1/1", "VLAR {Switch1}/2", "VLAR {Switch1}/2/3", "IIR", "IIR fe80::1", "IIR nonsense", "IIR 1.2.3.4", "LR", "LR {Switch1}", "LR {Switch1}/1", "LR {Switch1} {Switch2}",
	"LR {Switch1}/1 {Hca1}/1", "-x {Hca1}", "-x {Hca1} {Switch1}/200", "SR", "MCMR", "LFTR", "LFTR {Switch1}", "LFTR {Switch1}/0", "LFTR {Switch1}/1", "LFTR {Switch1}/9999",
	"MFTR", "MFTR {Switch1}", "MFTR {Switch1}/0/0", "MFTR {Switch1}/0", "MFTR {Switch1}/0/1", "GIR", "GIR {Hca1}", "GIR {Hca1}/0", "GIR {Switch1}/1", "SWIR", "SWIR {Switch1}", "SWIR {Hca1}",
	"SMIR", "SMIR {Hca1}", "SMIR {Hca2}", "-K SMIR",
	"PR --slid {Hca1} --dlid {Hca2}", "-p --slid {Hca1} --dlid {Switch1} -n 1", "--src-to-dst {Hca1}:{Hca2}", "--src-to-dst Hca1:Hca2",
	"--src-to-dst nosuch:Hca1", "--src-to-dst Hca1", "--src-to-dst 0:1", "--sgid-to-dgid fe80::1-fe80::2", "--sgid-to-dgid x-y", "--sgid-to-dgid fe80::1", "--sgid x", "--dgid 1.2.3.4", "--mgid ''", "--gid ::",
	"-p --sgid {gid Hca1} --dgid {gid Hca2} -n 1", "--sgid-to-dgid {gid Hca1}-{gid Hca2}",
	"-p --slid {Hca1} --dlid {Hca2} --sl 0 --mtu 4 -R 0x83 -M 0x84 --pkt_lifetime 0x80", "-p --slid {Hca1} --dlid {Hca2} -r 1 -Q 0 -T 0 -F 0 -H 0", "-p --slid {Hca1} --dlid {Hca2} --pkey 0x7fff",
	"-p --slid {Hca1} --dlid {Hca2} --pkey 0xffff", "-p --slid {Hca1} --dlid {Hca2} --sl 3", "-p --slid {Hca1} --dlid {Hca2} --service_id 5", "-p --slid {Hca1} --dlid {Hca2} -T 4", "-p --slid {Hca1} --dlid {Hca2} -F 7",
	"-p --slid 0x7000 --dlid 1", "MCMR --mlid 0xc000", "MCMR --mlid 0xc123", "MCMR --mgid ff12:401b:ffff::ffff:ffff", "MCMR --gid fe80::1", "MCMR --pkey 0xffff", "MCMR -q 0xb1b",
	"MCMR -M 0x84 -R 0x83", "MCMR --pkt_lifetime 0x92", "MCMR --sl 0", "MCMR -F 0 -H 0", "MCMR --scope 2", "MCMR -J 1", "MCMR -T 0",
	"--smkey 1 SMIR", "--smkey 0x0 -N Hca1", "--node-name-map /nonexistent -L Hca1", "-P 1 -c", "-h", "-y 1", "--s", "-t 0", "-t 500 -c", "-e -c",
	"unknownquery", "NR {Hca1} extra", "-O {Hca1} extra",
}

// longLines have tables that are longer than what libumad2sim hands on of a
// packet, 224 bytes: it is compared up to there, in records of the given number.
var longLines = map[string]int{
	"-p": 2, "PR nonsense": 2, "--src-to-dst Hca1:": 2, "--src-to-dst :{Hca2}": 2, "-p --slid {Hca1}": 2, "-p --dlid {Hca1}": 2, "SL2VL": 10,
}

// TestSaquery compares on ibsim with OpenSM. ibsim has no RMPP: a table is what
// fits into one packet.
func TestSaquery(t *testing.T) {
	testenv.Need(t, "ibsim", "saquery", "umad2sim", "opensm")
	r := startManaged(t, "net.2sw2path4hca2port", "Hca1")
	for _, line := range saLines {
		r.like(t, "Hca2", "saquery "+line)
	}
	for line, n := range longLines {
		t.Run(line, func(t *testing.T) {
			args := split(r.names.Replace("saquery " + line))
			want, got := c(t, r.sim, "Hca2", args...), oursAt(t, "ibsim:"+r.sim.Name, "Hca2", args...)
			want.stdout, got.stdout = firstRecords(want.stdout, n), firstRecords(got.stdout, n)
			compare(t, want, got)
		})
	}
}

// firstRecords is the text of the first n records.
func firstRecords(out string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(out) {
		if strings.HasSuffix(line, "Record dump:\n") {
			n--
		}
		if n < 0 {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestSaqueryWithoutManager compares where nobody has told the port of a manager.
func TestSaqueryWithoutManager(t *testing.T) {
	testenv.Need(t, "ibsim", "saquery", "umad2sim")
	startBare(t, "net").like(t, "Hca2", "saquery", "saquery -c", "saquery NR nosuch")
}

// TestSaqueryMended pins what C has wrong and a manager shows.
func TestSaqueryMended(t *testing.T) {
	testenv.Need(t, "ibsim", "saquery", "umad2sim", "opensm")
	r := startManaged(t, "net.2sw2path4hca2port", "Hca1")
	for _, m := range []struct{ line, theirs, reason string }{
		{"saquery PIR {Switch1}/255", "PortNum.................0\n", "a port of 255 is one that there is not; C takes it for none given"},
		{"saquery PIR {Switch1}/257", "PortNum.................1\n", "no port has the number 257; C cuts it to 1"},
	} {
		args := split(r.names.Replace(m.line))
		want, got := c(t, r.sim, "Hca2", args...), r.ours(t, "Hca2", m.line)
		if !strings.Contains(want.stdout, m.theirs) {
			t.Errorf("%s: C has no longer its fault (%s): %q", m.line, m.reason, want.stdout)
		}
		if got.stdout != "" {
			t.Errorf("%s (%s): %q", m.line, m.reason, got.stdout)
		}
	}
}
