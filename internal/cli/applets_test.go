package cli

import "testing"

// TestNamesOfScripts: a script is found with the ending that it has in most
// distributions; other endings are no names.
func TestNamesOfScripts(t *testing.T) {
	for name, want := range map[string]string{
		"set_nodedesc.sh": "set_nodedesc", "ibprintca.pl": "ibprintca", "iblinkinfo.pl": "iblinkinfo", "dump_lfts.sh": "dump_lfts",
		"ibstat": "ibstat", "ibstat.exe": "", ".pl": "",
	} {
		a, ok := findApplet(name)
		if ok != (want != "") || ok && a.tool.Name != want {
			t.Errorf("%q: found %v, want %q", name, ok, want)
		}
	}
}
