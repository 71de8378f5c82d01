package pcap_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/ibscope/ibscope/internal/cli/env"
	command "github.com/ibscope/ibscope/internal/cli/pcap"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/pcap"
)

// FuzzPrint prints MADs of any content: nothing that a terminal acts on comes out,
// and JSON is JSON.
func FuzzPrint(f *testing.F) {
	var p mad.Packet
	p.Init(mad.ClassSubnDirected, mad.MethodGetResp, 0x10, 0)
	copy(p.SMPData()[:], "a switch \x1b]0;x\a")
	f.Add(p[:], "eth\x1b[2J", "comment\r\n", uint8(pcap.Received))
	p.Init(mad.ClassSubnAdm, mad.MethodGetTable, 0x35, 0)
	p.SetCompMask(^uint64(0))
	f.Add(p[:], "", "\u202e", uint8(pcap.Unanswered))
	f.Fuzz(func(t *testing.T, content []byte, name, comment string, kind uint8) {
		r := pcap.Record{Time: time.Unix(1, 0), Kind: pcap.Kind(kind % 5), Comment: comment}
		copy(r.Packet[:], content)
		r.Packet[0] = 1 // else it is no MAD
		var file bytes.Buffer
		w := pcap.NewWriter(&file, "x")
		number, _ := w.AddInterface(name)
		if err := w.Write(number, &r); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		for _, output := range []string{"text", "json", "ndjson"} {
			out := printed(t, file.Bytes(), output)
			if strings.ContainsFunc(out, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }) {
				t.Errorf("%s: %q", output, out)
			}
			if output == "json" && !json.Valid([]byte(out)) {
				t.Errorf("not JSON: %s", out)
			}
		}
	})
}

// printed runs the command without the rest of the program.
func printed(t *testing.T, file []byte, output string) string {
	t.Helper()
	var out bytes.Buffer
	c := command.Command(&env.Env{Stdin: bytes.NewReader(file), Stdout: &out})
	c.SetArgs([]string{"-v", "--show-keys", "-o", output, "-"})
	if err := c.Execute(); err != nil {
		t.Errorf("%s: %v", output, err)
	}
	return out.String()
}
