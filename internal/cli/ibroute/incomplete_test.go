package ibroute

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// TestIncomplete has the second block of a table refused. C's dump_fts prints the
// first block once more in its place, C's ibroute ends there, and both exit with 0.
func TestIncomplete(t *testing.T) {
	model, err := gen.Parse("star?hosts=200")
	if err != nil {
		t.Fatal(err)
	}
	var sw *fabric.Node
	for sw = range model.Switches() {
		break
	}
	for _, tt := range []struct {
		tool   *diags.Tool
		stderr string
		lids   int
		end    bool
	}{
		{&DumpTool, "SubnGet(LFT) failed on switch 'MF0;switch01:MQM8700/U1' DR path slid 0; dlid 0; 0,1 Node GUID 0x", 201 - 64, true},
		{&Tool, "SubnGet() failed; MAD status 0x1c AM 0x1\n", 63, false},
	} {
		f, err := sim.New(model, &sim.Options{Faults: []sim.Fault{
			{Kind: sim.BadStatus, Node: sw.GUID(), Attr: smp.AttrLinearForwardingTable, After: 1, Times: 1, Status: mad.StatusInvalidValue},
		}})
		if err != nil {
			t.Fatal(err)
		}
		port, err := f.Attach(model.Start())
		if err != nil {
			t.Fatal(err)
		}
		client := madrpc.New(port, nil)
		defer client.Close()
		var out, errOut bytes.Buffer
		e := &env.Env{
			Args: []string{tt.tool.Name, "-n", "-D"}, Stdout: &out, Stderr: &errOut, Stdin: bytes.NewReader(nil),
			Getenv: func(string) string { return "" }, DiagConfig: "/nonexistent",
			ReadPassword: func(string) (string, error) { return "", io.EOF },
		}
		if tt.tool == &DumpTool {
			e.Args = e.Args[:2]
		}
		s, err := parse(e, tt.tool)
		if err != nil {
			t.Fatal(err)
		}
		target := mad.ByLID(sw.Port(0).LID())
		d, err := ask(t.Context(), client, target, s)
		if tt.tool == &DumpTool {
			var ok bool
			if d, ok = s.device(sw); !ok {
				t.Fatal("no device")
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		s.dumpUnicast(t.Context(), client, d, &swept{settings: s, fabric: model})
		err = s.finish()
		if code := diags.Code(e, err); code != 255 {
			t.Errorf("%s: exit code %d", tt.tool.Name, code)
		}
		if n := strings.Count(out.String(), "\n0x"); n != tt.lids {
			t.Errorf("%s: %d LIDs, want %d", tt.tool.Name, n, tt.lids)
		}
		if !strings.Contains(errOut.String(), tt.stderr) || strings.Contains(out.String(), "lids dumped") != tt.end {
			t.Errorf("%s: stderr %q", tt.tool.Name, errOut.String())
		}
	}
}
