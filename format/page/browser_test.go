package page_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
)

// browser is a Chromium without a window, driven through pipes.
type browser struct {
	t       *testing.T
	to      io.Writer
	from    *bufio.Reader
	last    int
	session string
	console []string // errors and exceptions
}

// open starts a browser with a page in it.
func open(t *testing.T, text string) *browser {
	t.Helper()
	chromium := testenv.Tool(t, "chromium")
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "browser") //nolint:usetesting // the browser writes there a moment longer than the test lasts
	if err != nil {
		t.Fatal(err)
	}
	toRead, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, fromWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // a hang is a failure
	cmd := exec.CommandContext(ctx, chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
		"--disable-background-networking", "--window-size=1200,800", "--user-data-dir="+profile, "about:blank")
	cmd.ExtraFiles = []*os.File{toRead, fromWrite} // 3 and 4
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toRead.Close()
	fromWrite.Close()
	b := &browser{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		b.call("Browser.close", nil)
		cmd.Wait()
		cancel()
		os.RemoveAll(profile) // what a late child of the browser writes there is no fault of the page
		to.Close()
		from.Close()
	})
	target := b.call("Target.createTarget", map[string]any{"url": "about:blank"})["targetId"]
	b.session = b.call("Target.attachToTarget", map[string]any{"targetId": target, "flatten": true})["sessionId"].(string)
	b.call("Runtime.enable", nil)
	b.call("Log.enable", nil)
	b.call("Page.enable", nil)
	b.call("Page.navigate", map[string]any{"url": "file://" + file})
	for b.eval(`document.readyState === 'complete' && location.protocol === 'file:'`) != true {
		time.Sleep(20 * time.Millisecond)
	}
	return b
}

// call sends a command and waits for its answer.
func (b *browser) call(method string, params map[string]any) map[string]any {
	b.last++
	message := map[string]any{"id": b.last, "method": method, "params": params}
	if params == nil {
		message["params"] = map[string]any{}
	}
	if b.session != "" && method != "Browser.close" {
		message["sessionId"] = b.session
	}
	data, _ := json.Marshal(message)
	if _, err := b.to.Write(append(data, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	for {
		text, err := b.from.ReadBytes(0)
		if err != nil {
			if method != "Browser.close" {
				b.t.Fatalf("%s: %v", method, err)
			}
			return nil
		}
		var reply struct {
			ID     int
			Method string
			Result map[string]any
			Error  any
			Params json.RawMessage
		}
		if err := json.Unmarshal(text[:len(text)-1], &reply); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case reply.Method == "Runtime.exceptionThrown" || reply.Method == "Log.entryAdded" || reply.Method == "Runtime.consoleAPICalled":
			b.console = append(b.console, string(reply.Params))
		case reply.ID == b.last && reply.Error != nil:
			b.t.Fatalf("%s: %v", method, reply.Error)
		case reply.ID == b.last:
			return reply.Result
		}
	}
}

// eval is the value of an expression.
func (b *browser) eval(expression string) any {
	b.t.Helper()
	result := b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true})
	if e := result["exceptionDetails"]; e != nil {
		b.t.Fatalf("%s: %v", expression, e)
	}
	return result["result"].(map[string]any)["value"]
}

// wantView checks which view is shown.
func (b *browser) wantView(want string) {
	b.t.Helper()
	if got := b.eval(`document.querySelector('[aria-pressed=true]').textContent`); got != want {
		b.t.Errorf("the view is %v, want %s", got, want)
	}
}

func (b *browser) mouse(kind string, x, y float64, clicks int) {
	b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": map[bool]string{true: "left", false: "none"}[clicks > 0], "clickCount": clicks})
}

func (b *browser) key(key string) {
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "text": map[bool]string{true: key, false: ""}[len(key) == 1 && kind == "keyDown"]})
	}
}

func (b *browser) search(text string) {
	b.eval(`{ const s = document.getElementById('search'); s.value = ` + quoted(text) + `; s.dispatchEvent(new Event('input'));
		s.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'})); }`)
}

func quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

func (b *browser) text(id string) string {
	return b.eval(`document.getElementById('` + id + `').textContent`).(string)
}

// middleOfEdge is where a place of the first view is on the screen: on an edge that
// is a straight line, not quite at its middle.
const middleOfEdge = `(() => { const d = JSON.parse(document.getElementById('data').textContent), v = d.views[d.first];
	const [k, x, y] = document.getElementById('canvas').dataset.place.split(' ').map(Number), p = v.edges.find(e => !e.c && e.p.length === 4).p;
	return [(p[0] * .7 + p[2] * .3) * k + x, (p[1] * .7 + p[3] * .3) * k + y]; })()`

// A search finds hosts by name, GUID and LID; pointing at a line tells both ends; keys
// collapse and expand; nothing is wrong on the console.
func TestInBrowser(t *testing.T) {
	f := parse(t, "fattree?levels=2&radix=8")
	b := open(t, write(t, f, nil))
	at := b.eval(middleOfEdge).([]any)
	b.mouse("mouseMoved", at[0].(float64), at[1].(float64), 0)
	if tip := b.text("tip"); strings.Count(tip, " port ") != 2 || !strings.Contains(tip, "4x HDR") {
		t.Errorf("the tip of a link is %q", tip)
	}
	b.search("node0007")
	if got := b.text("found"); got != "1 of 1" {
		t.Errorf("searching for a name: %q", got)
	}
	if got := b.text("details"); !strings.HasPrefix(got, "node0007 mlx5_0host, channel adapter") {
		t.Errorf("the details are %q", got)
	}
	middle := b.eval(`[innerWidth / 2, innerHeight / 2]`).([]any) // it is there now
	b.mouse("mouseMoved", middle[0].(float64), middle[1].(float64), 0)
	if tip := b.text("tip"); !strings.HasPrefix(tip, "node0007") {
		t.Errorf("the tip of a host is %q", tip)
	}
	n, _ := f.PortByLID(3)
	for _, text := range []string{n.Node().GUID().String(), "3"} {
		b.search(text)
		if got := b.text("details"); !strings.Contains(got, n.Node().GUID().String()) {
			t.Errorf("searching for %s: %q", text, got)
		}
	}
	b.search("nobody")
	if got := b.text("found"); got != "none" {
		t.Errorf("searching for nobody: %q", got)
	}
	b.eval(`document.getElementById('canvas').focus()`)
	for _, key := range []string{"1", "+", "-", "ArrowLeft", "]", "0"} {
		b.key(key)
	}
	b.wantView("All nodes")
	if len(b.console) > 0 {
		t.Errorf("console: %s", b.console)
	}
}

// Descriptions that would like to be markup are text.
func TestHostileInBrowser(t *testing.T) {
	b := open(t, write(t, hostile(), nil))
	b.search("owned")
	if got := b.text("details"); !strings.Contains(got, `</script><script>document.title="owned"</script>`) {
		t.Errorf("the details are %q", got)
	}
	if got := b.eval(`document.title + document.images.length`); got != "Fabric0" {
		t.Errorf("title and images: %v", got)
	}
	if len(b.console) > 0 {
		t.Errorf("console: %s", b.console)
	}
}

// Large pages answer: 5,233 nodes, all drawn.
func TestLargeInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	b := open(t, write(t, parse(t, "fattree?levels=3&radix=28&hosts=4400"), nil))
	b.search("node4321")
	if got := b.text("details"); !strings.HasPrefix(got, "node4321 mlx5_0") {
		t.Errorf("the details are %q", got)
	}
	t.Logf("%.0f ms from the beginning to the answer of a search", b.eval(`performance.now()`))
	b.eval(`document.getElementById('canvas').focus()`)
	middle := b.eval(`[innerWidth / 2, innerHeight / 2]`).([]any) // where the pod of the node is now
	for clicks := 1; clicks <= 2; clicks++ {
		b.mouse("mousePressed", middle[0].(float64), middle[1].(float64), clicks)
		b.mouse("mouseReleased", middle[0].(float64), middle[1].(float64), clicks)
	}
	b.wantView("Switches")
	b.key("3")
	b.wantView("All nodes")
	cost := b.eval(`(() => { const c = document.getElementById('fit'), t = performance.now(); for (let i = 0; i < 5; i++) c.click(); return (performance.now() - t) / 5; })()`)
	t.Logf("a picture of all takes %.0f ms of script", cost)
	if len(b.console) > 0 {
		t.Errorf("console: %s", b.console)
	}
}
