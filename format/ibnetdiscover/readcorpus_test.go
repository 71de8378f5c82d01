package ibnetdiscover

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/testenv"
)

// The patterns below count what is in a file without any of the reader's code.
var (
	nodePattern = regexp.MustCompile(`(?m)^(Switch|Ca|Hca|Rt)\s*\d+\s*"([^"]+)"`)
	linkPattern = regexp.MustCompile(`(?m)^\[(\d+)\][^"\n]*"([^"]+)"\s?\[(\d+)\]`)
	listPattern = regexp.MustCompile(`(?m)^(Switch|Ca|Router|Rt)\s*: 0x`)
	portPattern = regexp.MustCompile(`(?m)^(SW|CA|RT) +\d+ +(\d+) (0x[0-9a-f]+) (\S+) (\S+)`)
	farPattern  = regexp.MustCompile(`(?m)^(SW|CA|RT) .* - (SW|CA|RT) +\d+ +(\d+) (0x[0-9a-f]+) \( `)
)

// counts is what a file or fabric holds. A link is counted at each of its ends.
type counts struct{ nodes, ports, linked int }

// countText counts the nodes with a record or a mention, and the ports with a
// line or a mention.
func countText(text string) counts {
	nodes := make(map[string]bool)
	ports := make(map[string]bool)
	linked := make(map[string]bool)
	owner := ""
	s := bufio.NewScanner(strings.NewReader(text))
	for s.Scan() {
		line := strings.TrimLeft(s.Text(), "\ufeff")
		if m := nodePattern.FindStringSubmatch(line); m != nil {
			owner = m[2]
			nodes[owner] = true
		}
		if m := linkPattern.FindStringSubmatch(line); m != nil {
			nodes[m[2]] = true
			for _, p := range []string{owner + "/" + m[1], m[2] + "/" + m[3]} {
				ports[p], linked[p] = true, true
			}
		}
		if listPattern.MatchString(line) {
			nodes[line] = true
		}
		if m := portPattern.FindStringSubmatch(line); m != nil {
			nodes[m[3]], ports[m[3]+"/"+m[2]] = true, true
			if f := farPattern.FindStringSubmatch(line); f != nil {
				far := f[4] + "/" + f[3]
				nodes[f[4]], ports[far] = true, true
				linked[m[3]+"/"+m[2]], linked[far] = true, true
			}
		}
	}
	return counts{len(nodes), len(ports), len(linked)}
}

// countFabric leaves out port 0 of switches, which no line is about.
func countFabric(f *fabric.Fabric) counts {
	c := counts{nodes: f.NumNodes()}
	for p := range f.Ports() {
		if p.Num() == 0 {
			continue
		}
		c.ports++
		if p.Remote() != nil {
			c.linked++
		}
	}
	return c
}

func TestCorpus(t *testing.T) {
	corpus := testenv.Corpus(t)
	for _, dir := range []string{"topo", "ibnetdiscover-p", "lists"} {
		files, err := filepath.Glob(filepath.Join(corpus, dir, "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s: %v", dir, err)
		}
		for _, file := range files {
			t.Run(dir+"/"+filepath.Base(file), func(t *testing.T) { testFile(t, file) })
		}
	}
}

func testFile(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(bytes.NewReader(text), filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	want, got := countText(string(text)), countFabric(f)
	if start := f.Start(); start != nil && start.Num() > 0 && start.Remote() == nil {
		want.ports++ // only the header of the file is about it
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	t.Logf("%+v, %d problems", got, len(f.Problems()))
	for i, p := range f.Problems() {
		if i == 20 {
			t.Log("…")
			break
		}
		t.Log(p)
	}
}
