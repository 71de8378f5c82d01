package oracle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

func TestIbtracertBare(t *testing.T) {
	testenv.Need(t, "ibsim", "ibtracert", "umad2sim")
	r := startBare(t, "net.2sw2path4hca2port")
	r.like(t, "Hca1", "ibtracert", "ibtracert 1", "ibtracert -h", "ibtracert -D 0 0,1", "ibtracert 1 2", "ibtracert 0 2", "ibtracert 1 x",
		"ibtracert --ports-file /nonexistent", "ibtracert -f 1 2")
}

func TestIbtracertManaged(t *testing.T) {
	testenv.Need(t, "ibsim", "ibtracert", "umad2sim")
	for name, lmc := range map[string]string{"one LID": "0", "two LIDs": "1"} {
		t.Run(name, func(t *testing.T) {
			r := startManaged(t, "net.2sw2path4hca2port", "Hca1", "-l", lmc)
			ends := []string{"{Hca1}", "{Hca2}", "{Switch1}", "{Switch2}", "{Hca1:2}", "{Hca2:2}"}
			var lines []string
			for _, from := range ends {
				for _, to := range ends {
					lines = append(lines, "ibtracert "+from+" "+to, "ibtracert -n "+from+" "+to)
				}
			}
			r.like(t, "Hca2", lines...)
			r.like(t, "Switch1", "ibtracert {Hca1} {Hca2}", "ibtracert {Switch1} {Hca2}", "ibtracert {Hca2} {Switch1}")
			r.like(t, "Hca2", "ibtracert -v {Hca1} {Switch2}", "ibtracert -f {Hca1} {Hca2}", "ibtracert {Hca1} 300", "ibtracert 300 {Hca1}",
				"ibtracert -G {guid Hca1} {guid Hca2}", "ibtracert -G {guid Switch1} {guid Hca2:2}", "ibtracert {Hca1}x {Hca2} more",
				"ibtracert -t 900 {Hca1} {Hca2}", "ibtracert --node-name-map /nonexistent {Hca1} {Hca2}", "ibtracert -m 0xc100 {Hca1} {Hca2}")
			r.join(t, "Hca1")
			r.join(t, "Hca2")
			r.waitMulticast(t)
			r.like(t, "Hca2", "ibtracert -m 0xc000 {Hca1} {Hca2}", "ibtracert -n -m 0xc000 {Hca1} {Hca2}", "ibtracert -m 0xc000 {Hca2} {Hca1}",
				"ibtracert -m 0xc000 {Switch1} {Hca2}", "ibtracert -m 0xc000 {Hca1} {Hca1}", "ibtracert -m 0xc000 {Hca2} {Hca2:2}",
				"ibtracert -m 0xc000 {Switch2} {Hca1}", "ibtracert -m 0xc001 {Hca1} {Hca2}", "ibtracert -m 0xc3ff {Switch1} {Hca2}")
			r.likePairs(t)
		})
	}
}

// likePairs compares files of pairs.
func (r *rig) likePairs(t *testing.T) {
	dir := t.TempDir()
	for i, text := range []string{
		"", "# nothing\n\n   \n", "{Hca1} {Hca2}\n{Switch1}\t{Hca2}  more\n", "{Hca1} {Switch1}\n{Hca1} 300\n{Hca1} {Hca2}\n", "\n{Hca1}\n", "{Hca2} {Hca1}",
	} {
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, []byte(r.names.Replace(text)), 0o600); err != nil {
			t.Fatal(err)
		}
		r.like(t, "Hca2", "ibtracert --ports-file "+file, "ibtracert -n --ports-file "+file)
	}
	pairs := filepath.Join(dir, "multicast")
	text := r.names.Replace("{Hca1} {Hca2}\n{Hca2} {Hca1}\n")
	if err := os.WriteFile(pairs, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	// C remembers the nodes of the first pair as known and finds no other way.
	got := r.ours(t, "Hca2", "ibtracert -m 0xc000 --ports-file "+pairs)
	if got.code != 0 || strings.Count(got.stdout, "From ") != 2 || !strings.Contains(got.stdout, "2 lid/guid pairs processed") {
		t.Errorf("pairs of multicast: %+v", got)
	}
	// C follows a pointer that is nil.
	got = r.ours(t, "Hca2", "ibtracert -m 0xc000 {Switch1} {Switch1}")
	if got.code != 0 && !strings.Contains(got.stderr, "can't find a multicast route") || got.code == 0 && strings.Count(got.stdout, "\n") != 2 {
		t.Errorf("to itself: %+v", got)
	}
	// C computes with the difference to 0xc000, whatever that is.
	got = r.ours(t, "Hca2", "ibtracert -m 5 {Hca1} {Hca2}")
	if got.code != 255 || !strings.Contains(got.stderr, "invalid MLID") {
		t.Errorf("unicast LID: %+v", got)
	}
}

// TestIbtracertLongestWay: of the last way that C follows, of 62 hops, it says that
// it does not exist, having found it; and a directed route may have 63.
func TestIbtracertLongestWay(t *testing.T) {
	for _, switches := range []int{60, 61, 62} {
		var net strings.Builder
		fmt.Fprint(&net, "Hca 1 \"a\"\n[1] \"s1\"[1]\n\n")
		for i := 1; i <= switches; i++ {
			before, after := fmt.Sprintf("\"s%d\"[2]", i-1), fmt.Sprintf("\"s%d\"[1]", i+1)
			if i == 1 {
				before = "\"a\"[1]"
			}
			if i == switches {
				after = "\"b\"[1]"
			}
			fmt.Fprintf(&net, "Switch 2 \"s%d\"\n[1] %s\n[2] %s\n\n", i, before, after)
		}
		fmt.Fprintf(&net, "Hca 1 \"b\"\n[1] \"s%d\"[2]\n", switches)
		file := filepath.Join(t.TempDir(), "chain")
		if err := os.WriteFile(file, []byte(net.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		lid := func(path string) string {
			got := oursAt(t, "sim:"+file+"?sm=on&node=a", "", "ibaddr", "-L", "-D", path)
			words := strings.Fields(got.stdout)
			return words[len(words)-1]
		}
		got := oursAt(t, "sim:"+file+"?sm=on&node=a", "", "ibtracert", lid("0"), lid("0,1"+strings.Repeat(",2", switches)))
		if got.code != 0 || strings.Count(got.stdout, "] -> ") != switches+1 || !strings.Contains(got.stdout, "To ca") {
			t.Errorf("%d switches: exit code %d, %s%s", switches, got.code, got.stdout, got.stderr)
		}
	}
}
