package page_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/drawing"
	"github.com/ibscope/ibscope/format/page"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/gen"
)

func write(t testing.TB, f *fabric.Fabric, o *drawing.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Write(&b, f, topology.Classify(f, &topology.Options{}), o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func parse(t testing.TB, text string) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// hostile is two switches with descriptions that would like to be markup.
func hostile() *fabric.Fabric {
	b := fabric.NewBuilder()
	var nodes []*fabric.Node
	for i, description := range []string{`</script><script>document.title="owned"</script>`, `"><img src=x onerror=alert(1)>` + "\x1b[31m"} {
		info := smp.NodeInfo{NodeType: ib.NodeSwitch, NumPorts: 2, NodeGUID: ib.GUID(0x1234 + i), PortGUID: ib.GUID(0x1234 + i)}
		var raw, desc [mad.DataSize]byte
		info.Encode(&raw)
		copy(desc[:], description)
		n := b.AddNode(&raw)
		b.SetDescription(n, &desc)
		nodes = append(nodes, n)
	}
	b.Link(b.Port(nodes[0], 1), b.Port(nodes[1], 1))
	return b.Build()
}

// No text of the fabric gets out of the data, or into a tag.
func TestHostileTexts(t *testing.T) {
	got := write(t, hostile(), &drawing.Options{Title: `</title><script>`})
	if n := strings.Count(got, "<script"); n != 2 {
		t.Errorf("%d scripts, want that with the data and that of the page", n)
	}
	for _, bad := range []string{"<img", "\x1b", "</title><"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in the page", bad)
		}
	}
}

// The page loads nothing, and its policy would not let it.
func TestLoadsNothing(t *testing.T) {
	got := write(t, parse(t, "fattree?levels=2&radix=4"), nil)
	if !strings.Contains(got, `content="default-src 'none'; style-src 'sha256-`) {
		t.Error("there is no policy")
	}
	for _, bad := range []string{"src=", "<link", "@import", "url(", "fetch(", "XMLHttpRequest", "innerHTML", "unsafe"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in the page", bad)
		}
	}
}

// The data has each node and link once, and views that lead from few boxes to all.
func TestData(t *testing.T) {
	f := parse(t, "fattree?levels=3&radix=8")
	got := write(t, f, nil)
	var d struct {
		Nodes []struct{ N, G string }
		Links []struct{ A, B int }
		Views []struct {
			Name  string
			Boxes []struct{ N []int }
			Edges []struct{ L []int }
		}
		First int
	}
	text := regexp.MustCompile(`(?s)<script id="data" type="application/json">(.*?)</script>`).FindStringSubmatch(got)
	if err := json.Unmarshal([]byte(text[1]), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Nodes) != f.NumNodes() || len(d.Views) != 3 || d.Views[d.First].Name != "All nodes" {
		t.Fatalf("%d nodes, %d views, first is %d", len(d.Nodes), len(d.Views), d.First)
	}
	for i, v := range d.Views {
		nodes := 0
		for _, b := range v.Boxes {
			nodes += len(b.N)
		}
		if nodes != len(d.Nodes) || i > 0 && len(v.Boxes) <= len(d.Views[i-1].Boxes) {
			t.Errorf("%s has %d boxes with %d nodes", v.Name, len(v.Boxes), nodes)
		}
	}
	if again := write(t, f, nil); again != got {
		t.Error("the same fabric gives another page")
	}
	pods := write(t, f, &drawing.Options{Layout: layout.Options{Collapse: layout.Pods}})
	if !strings.Contains(pods, `"first":0`) {
		t.Error("it does not begin with the pods that were asked for")
	}
}

// The script is good JavaScript.
func TestScript(t *testing.T) {
	node := testenv.Tool(t, "node")
	if out, err := exec.Command(node, "--check", "page.js").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	script, err := os.ReadFile("page.js")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(script, []byte("</")) {
		t.Error("the script could end the element that it is in")
	}
}
