package ibdiscover

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
)

const example = `vendid=0x2c9
devid=0xd2f0
switchguid=0x10(10)
Switch	4 "S-0000000000000010"		# "sw" enhanced port 0 lid 1 lmc 0
[1]	"H-0000000000000020"[1](21) 		# "hostA" lid 2 4xHDR
[3]	"H-0000000000000030"[1](31) 		# "hostB" lid 3 4xHDR

caguid=0x20
Ca	1 "H-0000000000000020"		# "hostA"
[1](21) 	"S-0000000000000010"[1]		# lid 2 lmc 0 "sw" lid 1 4xHDR

caguid=0x30
Ca	1 "H-0000000000000030"		# "hostB"
[1](31) 	"S-0000000000000010"[3]		# lid 3 lmc 0 "sw" lid 1 4xHDR
`

func try(t *testing.T, input string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Args: []string{"ibdiscover.pl"}, Stdin: strings.NewReader(input), Stdout: &out, Stderr: &told, Now: time.Now,
		Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false },
	}
	code = Run(t.Context(), e)
	return out.String(), told.String(), code
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDiscover(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, mapFile, "20|1|\"rack 3\"|# hostA\n")
	out, _, code := try(t, example)
	if code != 0 {
		t.Fatalf("exit %d", code)
	}
	for _, want := range []string{
		"\nSwitch GUID: 10  \n",
		"Local:  1  Remote:  1     Host  GUID: 20  Location: \"rack 3\"\n",
		"Local:  3  Remote:  1     Host  GUID: 30  Location: 30\n",
		"\nHost GUID: 20  \"rack 3\"\n",
		"Link change:  Local/Remote Port  1/ 1 Local/Remote GUID: 10/20\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if n := strings.Count(out, "Link change:"); n != 4 {
		t.Errorf("%d changes without a last run", n)
	}
	if err := os.Rename(newFile, topoFile); err != nil {
		t.Fatal(err)
	}
	if out, _, _ = try(t, example); strings.Contains(out, "Link change:") {
		t.Errorf("nothing has changed:\n%s", out)
	}
	if out, _, _ = try(t, strings.ReplaceAll(example, "[3]", "[4]")); strings.Count(out, "Link change:") != 4 {
		t.Errorf("a cable was moved: two links are gone, and two are new:\n%s", out)
	}
}
