package oracle_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// captured is a capture that a command makes, with how many MADs it has at least.
type captured struct {
	uri  string
	args []string
	mads int
}

var captures = map[string]captured{
	"sweep":        {"sim:fattree?levels=2&radix=4", []string{"ibscope", "discover"}, 100},
	"lossy sweep":  {"sim:star?hosts=8&loss=5%&seed=3", []string{"ibscope", "discover", "--timeout", "20ms"}, 60},
	"table":        {"sim:fattree?levels=2&radix=4", []string{"saquery"}, 12},
	"counters":     {"sim:star?hosts=3", []string{"perfquery", "-x"}, 6},
	"two sections": {"sim:star?hosts=3", []string{"ibqueryerrors"}, 40},
}

// TestCaptures makes sure that Wireshark sees in a capture what we see: of each MAD
// the direction, class, method, attribute, modifier, transaction ID and LIDs, the
// segment of a long message, and nothing that it calls malformed.
func TestCaptures(t *testing.T) {
	testenv.Need(t, "tshark")
	for name, test := range captures {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.pcapng")
			if r := ours(t, test.uri, append(test.args, "--pcap", file)...); r.code != 0 || strings.Contains(r.stderr, "pcap") {
				t.Fatalf("exit code %d\n%s", r.code, r.stderr)
			}
			want, got := sharkLines(t, file), ourLines(t, file)
			if len(got) < test.mads {
				t.Errorf("only %d MADs", len(got))
			}
			if w, g := strings.Join(want, "\n"), strings.Join(got, "\n"); w != g {
				t.Errorf("tshark and ibscope pcap differ in %s", firstDifference(w, g))
			}
			if bad := shark(t, file, "-Y", "_ws.malformed || _ws.expert.severity == error"); bad != "" {
				t.Errorf("tshark calls packets malformed:\n%s", bad)
			}
		})
	}
}

// shark runs tshark on a capture.
func shark(t *testing.T, file string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), testenv.Tool(t, "tshark"), append([]string{"-n", "-r", file}, args...)...)
	command.Env = append(command.Environ(), "HOME="+t.TempDir())
	out, err := command.Output()
	if err != nil {
		t.Fatalf("tshark: %v", err)
	}
	return string(out)
}

// sharkLines is a line for each packet, as tshark decodes it.
func sharkLines(t *testing.T, file string) []string {
	t.Helper()
	args := []string{"-T", "fields", "-E", "occurrence=f"}
	for _, field := range []string{
		"frame.packet_flags_direction", "infiniband.lrh.slid", "infiniband.lrh.dlid",
		"infiniband.mad.mgmtclass", "infiniband.mad.method", "infiniband.mad.attributeid", "infiniband.mad.attributemodifier",
		"infiniband.mad.transactionid", "infiniband.rmpp.segmentnumber",
	} {
		args = append(args, "-e", field)
	}
	return strings.Split(strings.TrimRight(shark(t, file, args...), "\n"), "\n")
}

// ourLines is the same as we decode it, in the form in which tshark prints it.
func ourLines(t *testing.T, file string) []string {
	t.Helper()
	r := ours(t, "", "ibscope", "pcap", "-o", "ndjson", file)
	if r.code != 0 {
		t.Fatalf("ibscope pcap: exit code %d\n%s", r.code, r.stderr)
	}
	var lines []string
	for line := range strings.Lines(r.stdout) {
		var p struct {
			Record, Direction, TID string
			SLID, DLID, Modifier   uint32
			Class                  string `json:"class_id"`
			Method                 string `json:"method_id"`
			Attribute              string `json:"attribute_id"`
			RMPP                   *struct{ Segment uint32 }
		}
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		if p.Record != "mad" {
			continue
		}
		direction := map[string]string{"received": "0x00000001", "sent": "0x00000002"}[p.Direction]
		segment := ""
		if p.RMPP != nil {
			segment = fmt.Sprintf("0x%08x", p.RMPP.Segment)
		}
		lines = append(lines, fmt.Sprintf("%s\t%d\t%d\t%s\t%s\t%s\t0x%08x\t%s\t%s", direction, p.SLID, p.DLID,
			p.Class, p.Method, p.Attribute, p.Modifier, p.TID, segment))
	}
	return lines
}
