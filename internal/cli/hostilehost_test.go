package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/service/history/historytest"
	"github.com/ibscope/ibscope/internal/testenv"
)

// hostile are NodeDescriptions that attack what is printed around them.
var hostile = []string{
	`quote" apostrophe' back\slash \"`,
	"line\nfeed\r\ttab\vand\fmore",
	"\x1b[31mred\x1b]0;title\x07\x9b1m\x7f",
	"right\u202eto left\u2066\u200b\u2028end",
	"not UTF-8 \xff\xfe\xc3(\xe2\x80",
	"nul\x00behind it \x1b[0m",
	strings.Repeat("x", 61) + `"\"`,
	`</script><script>alert(1)</script>`,
	`"; rm -rf ~; $(reboot) && %s%n %d`,
	`];}; digraph{ \N \G -- <a|b>`,
	`=1+2,"x";'/c'!A1`,
	"",
	strings.Repeat("\n", 64),
	"# \"H-1\"[1](2) \t[3] \"S-4\"[5] # lid 6 lmc 0 \"",
}

// tame gives each node the name that it has, as many bytes long as it is.
func tame(number int) string { return fmt.Sprintf("node number %d", number) }

// wild gives each node a hostile one.
func wild(number int) string { return hostile[number%len(hostile)] }

// fabricOfTests is what the fabrics below are made of: 14 nodes.
const fabricOfTests = "fattree?levels=2&radix=4"

// host is a machine on a fabric, with files of it.
type host struct {
	uri   string
	dir   string
	sys   *testenv.Sysfs
	words map[string]string // what stands in command lines for addresses and files
}

// newHost makes the fabric with names of one kind.
func newHost(t *testing.T, name func(number int) string) *host {
	t.Helper()
	h := &host{dir: t.TempDir(), words: map[string]string{}, sys: testenv.NewSysfs(t, testenv.SysfsCA{
		Name: "mlx5_0", Firmware: name(1), HardwareID: name(2), HCAType: name(3), Ports: []testenv.SysfsPort{{Num: 1, Rate: name(4), State: "4: " + name(5)}},
	})}
	h.sys.Write(h.sys.CAFile("mlx5_0", "node_desc"), name(0)+"\n")
	h.words["{cache}"], h.words["{tame}"] = h.path("cache"), h.path("tame")
	makeCache(t, h.path("cache"), name)
	makeCache(t, h.path("tame"), tame)
	h.words["{history}"] = historytest.Make(t, h.dir, historytest.Options{Describe: name})
	h.uri = "sim:" + h.path("cache") + "?sm=on&ping=all"
	h.learn(t)
	h.keep(t, "{topology}", "ibnetdiscover", "")
	h.keep(t, "{lfts}", "dump_lfts", "")
	h.words["{capture}"] = h.path("capture")
	h.run(t, "saquery", "--pcap {capture}")
	return h
}

// makeCache writes the fabric as a file that keeps descriptions byte for byte.
func makeCache(t *testing.T, file string, name func(number int) string) {
	t.Helper()
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": "sim:" + fabricOfTests}}
	if code := w.run("ibnetdiscover", "--cache", file); code != 0 {
		t.Fatal(w.stderr.String())
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	for _, line := range strings.Split(listOf(t, "sim:"+fabricOfTests), "\n") {
		_, desc, ok := strings.Cut(line, `"`)
		if !ok {
			continue
		}
		old := padded(strings.TrimSuffix(desc, `"`))
		if bytes.Count(data, old) != 1 {
			t.Fatalf("%q is not there once", desc)
		}
		data = bytes.ReplaceAll(data, old, padded(name(number)))
		number++
	}
	if number < len(hostile) {
		t.Fatalf("%d nodes for %d descriptions", number, len(hostile))
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func listOf(t *testing.T, uri string) string {
	t.Helper()
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": uri}}
	if code := w.run("ibnetdiscover", "-l"); code != 0 {
		t.Fatal(w.stderr.String())
	}
	return w.stdout.String()
}

// padded is a description as it is in a packet: 64 bytes.
func padded(s string) []byte {
	b := make([]byte, 64)
	copy(b, s)
	return b
}

// learn finds addresses: of the own port, of the switch beside it, and of the
// host farthest away.
func (h *host) learn(t *testing.T) {
	t.Helper()
	w := &world{}
	w.run("ibscope", "discover", "--fabric", h.uri, "-o", "json")
	var doc struct {
		Nodes []struct {
			GUID, Type, Path string
			Ports            []struct{ LID int }
		}
	}
	if err := json.Unmarshal(w.stdout.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %s%s", err, &w.stdout, &w.stderr)
	}
	for _, n := range doc.Nodes {
		word := "other"
		switch {
		case n.Path == "0":
			word = "host"
		case n.Path == "0,1":
			word = "switch"
		case n.Type != "CA":
			continue
		}
		h.words["{guid "+word+"}"] = n.GUID
		for _, p := range n.Ports {
			if p.LID != 0 {
				h.words["{"+word+"}"] = fmt.Sprint(p.LID)
			}
		}
	}
}

// keep runs a tool and makes a file of what it prints.
func (h *host) keep(t *testing.T, word, tool, line string) {
	t.Helper()
	w := h.run(t, tool, line)
	h.words[word] = h.path(strings.Trim(word, "{}"))
	if err := os.WriteFile(h.words[word], w.stdout.Bytes(), 0o600); err != nil || w.stdout.Len() == 0 {
		t.Fatalf("%s: %v, %s", tool, err, &w.stderr)
	}
}

// run runs a command line, whose first words are the tool. {evil} is an operand
// that is as bad as descriptions are.
func (h *host) run(t *testing.T, tool, line string) *world {
	t.Helper()
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": h.uri, "IBSCOPE_CONTROL": h.words["{control}"]}}
	if h.sys != nil {
		w.sys = h.sys.Root
	}
	var pairs []string
	for word, value := range h.words {
		pairs = append(pairs, strings.ReplaceAll(word, " ", "_"), value)
		line = strings.ReplaceAll(line, word, strings.ReplaceAll(word, " ", "_"))
	}
	words := strings.NewReplacer(append(pairs, "{out}", h.path("out"), "{evil}", strings.Join(hostile[:6], ""))...)
	args := strings.Fields(tool)
	for _, word := range strings.Fields(line) {
		args = append(args, words.Replace(word))
	}
	w.run(args...)
	return w
}

// control runs a simulator of the fabric that sim ctl speaks to, until the test ends.
func (h *host) control(t *testing.T) {
	t.Helper()
	socket := h.path("control")
	h.words["{control}"] = socket
	ctx, cancel := context.WithCancel(context.Background())
	w, ended := &world{ctx: ctx}, make(chan int, 1)
	go func() {
		ended <- w.run("ibscope", "sim", "serve", "--control", socket, "--listen", fmt.Sprintf("unix:ibscope-hostile-%d", os.Getpid()), h.uri)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	for range 1000 {
		if _, err := os.Stat(socket); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("no control socket")
}
