package metrics

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/watch"
)

// TestTreydockFixtures: what that exporter's own tests feed it with comes out as it
// makes it: names, labels and values from the outputs of ibnetdiscover and perfquery.
func TestTreydockFixtures(t *testing.T) {
	corpus := testenv.Corpus(t)
	lines := file(t, filepath.Join(corpus, "ibnetdiscover-p/treydock-test.out"))
	f, err := format.Read(strings.NewReader(lines), "test.out")
	if err != nil {
		t.Fatal(err)
	}
	outputs, err := filepath.Glob(filepath.Join(corpus, "perfquery/treydock-perfquery-0x*.out"))
	if err != nil || len(outputs) == 0 {
		t.Skip("no outputs of perfquery in the corpus")
	}
	want := map[string]float64{}
	var ports []*total.Port
	for _, output := range outputs {
		guid := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(output), "treydock-perfquery-"), ".out")
		values := perfquery(t, output)
		ports = append(ports, portOf(t, f, guid, values))
		for _, c := range treydockCounters {
			if v, ok := values[c.source]; ok {
				if strings.HasSuffix(c.source, "Data") {
					v *= 4
				}
				want[fmt.Sprintf(`infiniband_hca_port_%s_total{guid="%s",port="1"}`, c.word, guid)] = float64(v)
			}
		}
	}
	for line := range strings.Lines(lines) {
		m := portLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		word, rate := map[string]string{"CA": "hca", "SW": "switch"}[m[1]], "port_"
		on := fmt.Sprintf(`guid="%s",port="%s"`, m[4], m[3])
		if word == "hca" {
			rate, on = "", fmt.Sprintf(`guid="%s"`, m[4])
		}
		if !strings.Contains(lines, m[6]+" "+pad(m[7])+" "+m[8]+" 4x EDR - ") {
			m[6] = "0" // the file is a cut-out: the far end does not tell its LID itself
		}
		want[fmt.Sprintf(`infiniband_%s_info{guid="%s",%s="%s",lid="%s"}`, word, m[4], word, m[9], m[2])] = 1
		want[fmt.Sprintf(`infiniband_%s_uplink_info{guid="%s",port="%s",%s="%s",uplink="%s",uplink_guid="%s",uplink_type="%s",uplink_port="%s",uplink_lid="%s"}`,
			word, m[4], m[3], word, m[9], m[10], m[8], m[5], m[7], m[6])] = 1
		want[fmt.Sprintf(`infiniband_%s_%srate_bytes_per_second{%s}`, word, rate, on)] = 1.25e10
		want[fmt.Sprintf(`infiniband_%s_%sraw_rate_bytes_per_second{%s}`, word, rate, on)] = 1.2890625e10
	}
	slices.SortFunc(ports, func(a, b *total.Port) int { return strings.Compare(a.Node.String(), b.Node.String()) })
	st := watch.Static("test", "", f, total.NewTable(time.Now(), ports))
	e := read(t, text(t, New(always(st), nil, &Options{Sets: []Set{Treydock}}), Text, Treydock))
	for series, v := range want {
		if got, ok := e.values[series]; !ok || got != v {
			t.Errorf("%s = %v (%t), want %v", series, got, ok, v)
		}
	}
	if len(want) < 70 {
		t.Errorf("only %d series were compared", len(want))
	}
}

// portLine is a line of ibnetdiscover --ports of a port that is linked.
var portLine = regexp.MustCompile(`^(CA|SW) +(\d+) +(\d+) (0x[0-9a-f]+) 4x EDR - (CA|SW) +(\d+) +(\d+) (0x[0-9a-f]+) \( '(.+)' - '(.+)' \)`)

// pad is a port number in its column.
func pad(port string) string { return fmt.Sprintf("%2s", port) }

// perfquery reads an output of perfquery by itself.
func perfquery(t *testing.T, name string) map[string]uint64 {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]uint64{}
	for _, m := range regexp.MustCompile(`(?m)^(\w+):\.+(\d+)$`).FindAllStringSubmatch(string(text), -1) {
		v, err := strconv.ParseUint(m[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		out[m[1]] = v
	}
	return out
}

// portOf makes totals of values by the names of perfquery.
func portOf(t *testing.T, f *fabric.Fabric, guid string, values map[string]uint64) *total.Port {
	t.Helper()
	for p := range f.Ports() {
		if p.GUID().String() != guid {
			continue
		}
		out := &total.Port{Key: total.Key{Node: p.Node().GUID(), Num: 1}, Congestion: -1}
		for name, v := range values {
			if c, ok := counters.ByName(name); ok {
				out.Has |= counters.SetOf(c)
				out.Values[c] = v
			}
		}
		out.Values[counters.XmitData] *= 4
		out.Values[counters.RcvData] *= 4
		return out
	}
	t.Fatalf("no port %s", guid)
	return nil
}
