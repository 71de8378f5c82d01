package ibnetdiscover

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// oracleNet has what the options of ibnetdiscover tell apart: a box of two
// switches, a CA with two ports, one port in use and one not, and several rates.
const oracleNet = `vendid=0x2c9
devid=0xd2f0
sysimgguid=0x50
switchguid=0x51(51)
Switch	4 "S-0000000000000051"		# "spine # 1" enhanced port 0 lid 7 lmc 1
[1]	"S-0000000000000052"[1]		# "leaf" lid 8 12xHDR
[2]	"H-00000000000000c0"[2](c2) 		# "host" lid 3 4xQDR

vendid=0x2c9
devid=0xd2f0
sysimgguid=0x50
switchguid=0x52(52)
Switch	4 "S-0000000000000052"		# "leaf" base port 0 lid 8 lmc 0
[1]	"S-0000000000000051"[1]		# "spine # 1" lid 7 12xHDR
[2]	"H-00000000000000d0"[1](d1) 		# "other" lid 4 1xSDR
[3]	"R-00000000000000e0"[1](e1) 		# "router" lid 5 2xEDR

vendid=0x2c9
devid=0x1003
sysimgguid=0xc0
caguid=0xc0
Ca	2 "H-00000000000000c0"		# "host"
[2](c2) 	"S-0000000000000051"[2]		# lid 3 lmc 0 "spine # 1" lid 7 4xQDR

caguid=0xd0
Ca	1 "H-00000000000000d0"		# "other"
[1](d1) 	"S-0000000000000052"[2]		# lid 4 lmc 0 "leaf" lid 8 1xSDR

rtguid=0xe0
Rt	1 "R-00000000000000e0"		# "router"
[1](e1) 	"S-0000000000000052"[3] w=16 s=7 e=3

`

// TestReadAgainstC reads what C prints and prints it again.
func TestReadAgainstC(t *testing.T) {
	testenv.Need(t, "ibsim", "umad2sim", "ibnetdiscover")
	net := filepath.Join(t.TempDir(), "oracle.net")
	if err := os.WriteFile(net, []byte(oracleNet), 0o644); err != nil {
		t.Fatal(err)
	}
	sim := testenv.StartIbsim(t, net)
	for _, args := range [][]string{{}, {"-f"}, {"-g"}, {"-g", "-f"}, {"-m"}, {"-p"}, {"-p", "-s"}, {"-s"}, {"-l"}, {"-H"}, {"-S"}, {"-R"}} {
		for _, host := range []string{"", "H-00000000000000d0"} {
			t.Run(strings.Join(args, " ")+" "+host, func(t *testing.T) {
				out, stderr, code := testenv.RunC(t, sim, host, "ibnetdiscover", args...)
				if code != 0 {
					t.Fatalf("exit code %d\n%s", code, stderr)
				}
				f, err := Read(strings.NewReader(out), "f")
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range f.Problems() {
					t.Errorf("%v: %v", p.Kind, p)
				}
				options := strings.Join(args, "")
				want := out
				if strings.HasSuffix(options, "-s") {
					_, want = cutProgress(out)
				}
				var got strings.Builder
				o := &Options{Full: strings.Contains(options, "f"), Grouped: strings.Contains(options, "g"), MaxHops: options == "-m"}
				switch {
				case strings.HasPrefix(options, "-p"):
					err = WritePorts(&got, f, nil)
				case options == "-l" || options == "-H" || options == "-S" || options == "-R":
					err = WriteList(&got, f, nil)
				default:
					err = Write(&got, f, o)
				}
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got.String(), "\n")); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// cutProgress divides the output of -s.
func cutProgress(out string) (progress, rest string) {
	i := strings.LastIndex(out, " -> ")
	i += strings.Index(out[i:], "\n") + 1
	return out[:i], out[i:]
}
