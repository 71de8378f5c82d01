package applets

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// TestNamesOfScripts: a script is found with the ending that it has in most
// distributions; other endings are no names.
func TestNamesOfScripts(t *testing.T) {
	for name, want := range map[string]string{
		"set_nodedesc.sh": "set_nodedesc", "ibprintca.pl": "ibprintca", "iblinkinfo.pl": "iblinkinfo", "dump_lfts.sh": "dump_lfts",
		"ibstat": "ibstat", "ibstat.exe": "", ".pl": "",
	} {
		a, ok := Find(name)
		if ok != (want != "") || ok && a.Tool.Name != want {
			t.Errorf("%q: found %v, want %q", name, ok, want)
		}
	}
}

func TestAllIsSorted(t *testing.T) {
	for i := 1; i < len(all); i++ {
		if all[i-1].Tool.Name >= all[i].Tool.Name {
			t.Errorf("%s stands before %s", all[i-1].Tool.Name, all[i].Tool.Name)
		}
	}
}

// TestAsked: which command lines are a tool's, and what the tool sees of them.
func TestAsked(t *testing.T) {
	for line, want := range map[string]string{
		"ibstat":                           "ibstat",
		"/usr/sbin/ibstat -l":              "/usr/sbin/ibstat -l",
		"ibscope ibstat -l":                "ibstat -l",
		"any ibstat":                       "ibstat",
		"dump_lfts.sh -D":                  "dump_lfts.sh -D",
		"ibscope":                          "",
		"ibscope discover ibstat":          "",
		"ibscope --version":                "",
		"ibstat __complete -":              "",
		"ibstat __completeNoDesc -":        "",
		"ibscope __complete ibstat --vers": "",
	} {
		a, inner, ok := Asked(&env.Env{Args: strings.Fields(line)})
		if ok != (want != "") {
			t.Errorf("%q: a tool = %v", line, ok)
			continue
		}
		if !ok {
			continue
		}
		if got := strings.Join(inner.Args, " "); got != want || a.Run == nil {
			t.Errorf("%q: the tool sees %q, want %q", line, got, want)
		}
	}
}
