package ibnodes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// awkward are lines at the edge of what the scripts can read.
const awkward = `Ca	2 "H-0000000000100003"		# "Hca2"
Ca	2 "H-0000000000100004"		# "name # with hash"
Ca	2 "H-0000000000100005"		#"no blank"
Ca	2 "H-00000000001"
Ca
Ca	 : 0x0000000000100003 ports 2 devid 0x0 vendid 0x0 "Hca2"
Rt	2 "R-0000000000100006"		# "router" (scp)
Switch	8 "S-0000000000200000"		# "Switch1" base port 0 lid 0 lmc 0
Switch	8 "S-0000000000200001"		# "Switch2" enhanced port 0 lid 7 lmc 2
Switch	8 "S-0000000000200002"		# "my port 0 switch" enhanced port 0 lid 7 lmc 2
Switch	8 "S-0000000000200003"		# "no port"
Switch	8 "S-0000000000200004"		# port 0 at once
Switch	8 "S-0000000000200005"
[1]	"H-0000000000100003"[1](100004) 		# "Hca2" lid 0 4xSDR
ibwarn: [12] something
/usr/sbin/ibnetdiscover: iberror: failed: discover failed
x ibpanic: y
 Ca indented
`

// TestFilterLikeC compares with the scripts, on a topology file.
func TestFilterLikeC(t *testing.T) {
	file := filepath.Join(t.TempDir(), "topology")
	if err := os.WriteFile(file, []byte(awkward), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, f := range []filter{hosts, switches, routers} {
		want, err := exec.Command(testenv.Tool(t, f.tool), file).Output()
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		if err := f.copy(&got, strings.NewReader(awkward)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-C +ours):\n%s", f.tool, diff)
		}
	}
}

func FuzzFilter(f *testing.F) {
	f.Add(awkward)
	f.Add("Ca\x1b[31m 2 \"H-\u009b\"\t# \"\x1b]0;title\x07\"\nib\x1bx\n")
	f.Fuzz(func(t *testing.T, topology string) {
		for _, filter := range []filter{hosts, switches, routers} {
			var out strings.Builder
			if err := filter.copy(&out, strings.NewReader(topology)); err != nil {
				t.Fatal(err)
			}
			for _, r := range out.String() {
				if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
					t.Errorf("%s lets %U pass from %q", filter.tool, r, topology)
				}
			}
			if strings.Count(out.String(), "\n") > strings.Count(topology, "\n")+1 {
				t.Errorf("%s made more lines of %q", filter.tool, topology)
			}
		}
	})
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		line string
		want arguments
		ok   bool
	}{
		{"", arguments{}, true},
		{"file", arguments{file: "file"}, true},
		{"-y 1 -C ca --Port 2 file", arguments{file: "file", options: []string{"-y", "1", "-C", "ca", "--Port", "2"}}, true},
		{"-o json file", arguments{file: "file", options: []string{"-o", "json"}, output: true}, true},
		{"--fabric ibsim:", arguments{options: []string{"--fabric", "ibsim:"}}, true},
		{"a b", arguments{}, false},
		{"-h", arguments{}, false},
		{"-t", arguments{}, false},
		{"-t -1", arguments{}, false},
		{"-Cx", arguments{}, false},
	} {
		got, ok := parse(strings.Fields(test.line))
		if ok != test.ok {
			t.Errorf("%q: ok is %v", test.line, ok)
		}
		if ok && !cmp.Equal(test.want, got, cmp.AllowUnexported(arguments{})) {
			t.Errorf("%q: got %+v", test.line, got)
		}
	}
}
