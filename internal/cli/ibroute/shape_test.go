package ibroute

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad/smp"
)

var entryLine = regexp.MustCompile(`^0x([0-9a-f]{4}) (\d{3}) : \((Channel Adapter|Switch|Router) portguid 0x([0-9a-f]{16}): '(.*)'\)$`)

// written is a table as a file of ibroute has it.
type written struct {
	tables map[int]*smp.LinearForwardingTable // by the first LID of the block
	owners map[int]owner
	last   int
}

func (written) expect(int)      {}
func (written) unknown() string { return ": (unknown node and type)" }

func (w written) find(lid int) (owner, bool) {
	o, ok := w.owners[lid]
	return o, ok
}

// TestShapeOfRealTables takes the values out of tables that ibroute printed on a
// real cluster, and writes them again.
func TestShapeOfRealTables(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "ibroute", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w, body := readWritten(t, text)
		var got bytes.Buffer
		s := &settings{Common: &diags.Common{}, out: bufio.NewWriter(&got)}
		info := infoWriter{owners: w}
		sw := &device{ports: 254}
		lines := 0
		for start := 0; start <= w.last; start += smp.LIDsPerBlock {
			if table := w.tables[start]; table != nil {
				lines += s.unicastLines(&info, sw, start, table, 0, w.last)
			}
		}
		s.count(lines, "lids")
		s.out.Flush()
		if d := cmp.Diff(string(body), got.String()); d != "" || lines < 100 {
			t.Errorf("%s: %d lines (-file +ours):\n%s", filepath.Base(name), lines, d)
		}
	}
}

// readWritten gives the table and the text below its heading.
func readWritten(t *testing.T, text []byte) (written, []byte) {
	t.Helper()
	w := written{tables: make(map[int]*smp.LinearForwardingTable), owners: make(map[int]owner)}
	kinds := map[string]ib.NodeType{"Channel Adapter": ib.NodeCA, "Switch": ib.NodeSwitch, "Router": ib.NodeRouter}
	parts := bytes.SplitAfterN(text, []byte("\n"), 4)
	lines := bufio.NewScanner(bytes.NewReader(parts[3]))
	for lines.Scan() {
		m := entryLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		lid, _ := strconv.ParseUint(m[1], 16, 16)
		port, _ := strconv.ParseUint(m[2], 10, 8)
		guid, _ := strconv.ParseUint(m[4], 16, 64)
		start := int(lid) / smp.LIDsPerBlock * smp.LIDsPerBlock
		if w.tables[start] == nil {
			table := &smp.LinearForwardingTable{}
			for i := range table.Ports {
				table.Ports[i] = 0xff
			}
			w.tables[start] = table
		}
		w.tables[start].Ports[int(lid)-start] = uint8(port)
		w.owners[int(lid)] = owner{kind: kinds[m[3]], guid: ib.GUID(guid), name: m[5], lid: int(lid)}
		w.last = int(lid)
	}
	if len(w.owners) == 0 {
		t.Fatalf("no entries below %q", parts[0])
	}
	return w, parts[3]
}
