package oracle_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// TestRouteDocuments pins the JSON of the tools that list nodes and follow
// forwarding tables.
func TestRouteDocuments(t *testing.T) {
	uri := "sim:" + treeFile(t) + "?node=host1&sm=on"
	for name, line := range map[string]string{
		"ibhosts": "ibhosts -o json", "ibswitches": "ibswitches -o json", "ibnodes": "ibnodes --output json", "ibrouters": "ibrouters --output json",
		"ibroute": "ibroute -o json 7 2 12", "ibroute.multicast": "ibroute -o json -M 7", "dump_fts": "dump_fts -o json -n 9 9", "dump_lfts": "dump_lfts -n 9 9 --output json",
		"ibtracert": "ibtracert -o json 2 9", "ibtracert.bad": "ibtracert -o json 2 0",
		"ibfindnodesusing": "ibfindnodesusing -o json leafB 5", "ibfindnodesusing.nobody": "ibfindnodesusing -o json nobody 5",
		"ibidsverify": "ibidsverify -o json",
	} {
		got := oursAt(t, uri, "host1", strings.Fields(line)...)
		if !json.Valid([]byte(got.stdout)) {
			t.Errorf("%s: not JSON: %s", line, got.stdout)
		}
		testenv.Golden(t, name+".json", []byte(got.stdout))
	}
}

// TestFileDocuments is the same for tools that read files.
func TestFileDocuments(t *testing.T) {
	table := "Unicast lids [0x0-0x4] of switch Lid 1 guid 0x0000000000200001 (a):\n0x0003 001 : (Channel Adapter portguid 0x1: 'x')\n" +
		"Unicast lids [0x0-0x4] of switch Lid 1 guid 0x0000000000300000 (nowhere):\n0x0003 001 : (Router portguid 0x1: 'x')\n0x0004 002\n"
	documents := map[string]string{}
	t.Run("in a folder", func(t *testing.T) {
		t.Chdir(t.TempDir()) // so that the files have the same names on all machines
		for file, text := range map[string]string{"dump": table, "topology": brokenTopology} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for name, line := range map[string]string{
			"check_lft_balance": "check_lft_balance -l dump -i topology -o json", "check_lft_balance.missing": "check_lft_balance -l nothing -i topology -o json",
			"ibidsverify.broken": "ibidsverify --fabric file:topology -o json", "ibhosts.file": "ibhosts topology -o json", "ibhosts.missing": "ibhosts nothing -o json",
		} {
			documents[name] = ours(t, "", strings.Fields(line)...).stdout
		}
	})
	for name, document := range documents {
		if !json.Valid([]byte(document)) {
			t.Errorf("%s: not JSON: %s", name, document)
		}
		testenv.Golden(t, name+".json", []byte(document))
	}
}
