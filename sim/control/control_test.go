package control_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/sim/control"
	"github.com/ibscope/ibscope/sim/scenario"
)

// running is a simulator with a control socket.
type running struct {
	*control.Conn
	testing.TB
	runner *scenario.Runner
	path   string
	server *control.Server
	ended  chan struct{} // quit was asked for
}

func start(t testing.TB, uri string) *running {
	t.Helper()
	s := &scenario.Scenario{Seed: 1}
	opened, err := source.OpenScenario(s, uri)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{TB: t, path: filepath.Join(t.TempDir(), "private", "s"), ended: make(chan struct{})}
	if r.runner, err = s.Start(ctx, opened.Fabric); err != nil {
		t.Fatal(err)
	}
	l, err := control.Listen(r.path)
	if err != nil {
		t.Fatal(err)
	}
	r.server = control.New(r.runner, sync.OnceFunc(func() { close(r.ended) }))
	done := make(chan error, 1)
	go func() { done <- r.server.Serve(ctx, l) }()
	if r.Conn, err = control.Dial(ctx, r.path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
		r.runner.Close()
		if _, err := os.Lstat(r.path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the socket is still there: %v", err)
		}
	})
	return r
}

func (r *running) ask(command string) control.Reply {
	r.Helper()
	reply, err := r.Do(r.Context(), command)
	if err != nil {
		r.Fatal(err)
	}
	return reply
}

// result asks, and decodes the result.
func result[T any](r *running, command string) (v T) {
	r.Helper()
	reply := r.ask(command)
	if !reply.OK {
		r.Fatalf("%s: %s", command, reply.Error)
	}
	if err := json.Unmarshal(reply.Result, &v); err != nil {
		r.Fatalf("%s: %v", command, err)
	}
	return v
}

func TestSocketIsPrivate(t *testing.T) {
	r := start(t, "sim:line?switches=2")
	for path, want := range map[string]os.FileMode{r.path: 0o600, filepath.Dir(r.path): 0o700} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, %v", path, info.Mode(), err)
		}
	}
	if entries, _ := os.ReadDir(filepath.Dir(r.path)); len(entries) != 1 {
		t.Errorf("there is more than the socket: %v", entries)
	}
	if _, err := control.Listen(r.path); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("a second one: %v", err)
	}
}

func TestListen(t *testing.T) {
	dir := t.TempDir()
	stale := filepath.Join(dir, "stale")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	again, err := control.Listen(stale)
	if err != nil {
		t.Fatalf("in place of a dead socket: %v", err)
	}
	again.Close()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Listen(file); !errors.Is(err, os.ErrExist) {
		t.Errorf("in place of a file: %v", err)
	}
	if _, err := control.Dial(t.Context(), filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nobody there: %v", err)
	}
}

// What is changed shows in what is asked.
func TestCommands(t *testing.T) {
	r := start(t, "sim:fattree?levels=2&radix=8&hosts=8")
	nodes := result[[]control.Node](r, "list nodes")
	if len(nodes) != r.runner.Fabric().Model().NumNodes() || !nodes[0].IsAlive {
		t.Errorf("%d nodes", len(nodes))
	}
	port := func() control.Port {
		t.Helper()
		return result[[]control.Port](r, "list ports node0002")[0]
	}
	if p := port(); p.State != "Active" || p.Rate != "4xHDR" || p.Peer == nil || p.Peer.Port != 2 || p.LID == 0 {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct {
		command string
		holds   func() bool
	}{
		{"link down node0002/1", func() bool { return port().State == "Down" && port().Rate == "" }},
		{"link up leaf01/2", func() bool { return port().Phys == "LinkUp" }},
		{"loss node0002/1 30%", func() bool { return port().Loss == 0.3 }},
		{"loss node0002/1 0", func() bool { return port().Loss == 0 }},
		{"loss node0002/1 1 attr=PortInfo", func() bool { return port().Attr == 0x15 }},
		{"lid node0002 99 2", func() bool { return false }},
		{"lid node0002 100 2", func() bool { return port().LID == 100 && port().LMC == 2 }},
		{"kill node0003", func() bool { return !result[[]control.Node](r, "list nodes node0003")[0].IsAlive }},
		{"revive node0003", func() bool { return result[[]control.Node](r, "list nodes node0003")[0].IsAlive }},
		{"guid node0003 0xabc000", func() bool { return result[[]control.Node](r, "list nodes 0xabc000")[0].GUID == 0xabc000 }},
		{"set node0002/1 PortXmitDiscards=12", func() bool {
			v := result[[]scenario.Value](r, "get node0002/1 portcounters.portxmitdiscards")
			return len(v) == 1 && v[0].Value == 12
		}},
		{"unplug node0002/1", func() bool { return port().Peer == nil }},
		{"replug node0002", func() bool { return port().Peer != nil }},
		{"rename node0002 other", func() bool { return result[[]control.Node](r, "list nodes other")[0].Node == "other" }},
	} {
		reply := r.ask(c.command)
		if strings.Contains(c.command, " 99 2") {
			if reply.OK || !strings.Contains(reply.Error, "does not take LID 99 LMC 2") {
				t.Errorf("%s: %+v", c.command, reply)
			}
			continue
		}
		if !reply.OK || reply.Text == "" || !c.holds() {
			t.Errorf("%s: %+v", c.command, reply)
		}
	}
	if got := result[[]json.RawMessage](r, "events 3"); len(got) != 3 {
		t.Errorf("the last three events are %s", got)
	}
	if dump := result[[]control.Node](r, "dump leaf01")[0]; dump.LinearFDBTop == 0 || len(dump.Routes) < 8 || len(dump.Details) != 9 {
		t.Errorf("%+v", dump)
	}
}

func TestRoute(t *testing.T) {
	r := start(t, "sim:line?switches=3")
	lid := func(name string) int { return int(result[[]control.Port](r, "list ports "+name)[0].LID) }
	from, to := lid("node0001"), lid("node0003")
	command := fmt.Sprintf("route %d %d", from, to)
	hops := result[[]control.Hop](r, command)
	var way []string
	for _, h := range hops {
		way = append(way, fmt.Sprintf("%d-%d", h.In, h.Out))
	}
	if got := strings.Join(way, " "); got != "0-1 1-3 2-3 2-1 1-0" {
		t.Errorf("the way is %s", got)
	}
	r.ask("sm stop")
	r.ask("link down switch02/3")
	if reply := r.ask(command); reply.OK || !strings.Contains(reply.Error, "is not active") {
		t.Errorf("over a link that is down: %+v", reply)
	}
	if hops := result[[]control.Hop](r, fmt.Sprintf("route %d %d", from, from)); len(hops) != 1 {
		t.Errorf("to itself: %v", hops)
	}
}

func TestClients(t *testing.T) {
	r := start(t, "sim:line?switches=2&sm=off")
	p, err := r.runner.Fabric().AttachAt("node0002 mlx5_0", 1)
	if err != nil {
		t.Fatal(err)
	}
	p.SetIsSM(true)
	list := result[[]control.Client](r, "attached")
	if len(list) != 1 || !list[0].IsSM || list[0].At.Node != "node0002 mlx5_0" || list[0].At.Port != 1 {
		t.Fatalf("%+v", list)
	}
	if reply := r.ask(fmt.Sprintf("detach %d", list[0].ID)); !reply.OK {
		t.Error(reply.Error)
	}
	if list := result[[]control.Client](r, "list clients"); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

// Errors are one line and say what was expected; the connection goes on.
func TestErrors(t *testing.T) {
	r := start(t, "sim:line?switches=2")
	for command, want := range map[string]string{
		"":                           "expected a command: link down",
		"frobnicate":                 `found "frobnicate", expected a command: link down`,
		"list":                       "or a query: list nodes",
		"list nodes a b":             `found "a b", expected one name`,
		"list nodes nobody":          `no node fits "nobody"`,
		"link down nobody/1":         `no node fits "nobody"`,
		"link down node0001/9":       `has ports 1…`,
		"link down node0001":         "expected NODE/PORT",
		"plug node0001/1 node0002/1": "the port has a cable",
		"unplug node0001/1 x":        "expected the end of the command",
		"route 1":                    "expected two LIDs",
		"route 1 4000":               "no port has LID 4000",
		"detach 77":                  "there is no client 77",
		"get node0001/1 Nothing":     `no counter is called "Nothing"`,
		"set node0001/1 Nothing=1":   `no counter is called "Nothing"`,
		"wait long":                  "expected a duration",
		"quit now":                   "expected nothing more",
		"speed node0001/1 9x":        "expected a rate",
		"note \x1b[31m":              "expected text",
	} {
		reply := r.ask(command)
		if reply.OK || !strings.Contains(reply.Error, want) || strings.ContainsAny(reply.Error, "\n\x1b") {
			t.Errorf("%q: %+v, want %q", command, reply, want)
		}
	}
	if reply := r.ask("status"); !reply.OK {
		t.Error(reply.Error)
	}
}

// Who waits keeps nobody else waiting, and ends with the server.
func TestWaitAndQuit(t *testing.T) {
	r := start(t, "sim:line?switches=2")
	other, err := control.Dial(t.Context(), r.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	waited := make(chan error, 1)
	go func() {
		_, err := other.Do(context.Background(), "wait 1h")
		waited <- err
	}()
	if reply := r.ask("wait 0.01"); !reply.OK {
		t.Error(reply.Error)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	third, err := control.Dial(t.Context(), r.path)
	if err != nil {
		t.Fatal(err)
	}
	defer third.Close()
	if _, err := third.Do(ctx, "wait 1h"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a client that gives up: %v", err)
	}
	if reply := r.ask("quit"); !reply.OK {
		t.Error(reply.Error)
	}
	<-r.ended
	other.Close()
	if err := <-waited; err == nil {
		t.Error("a wait of an hour ended well")
	}
}

// Help names everything there is.
func TestHelp(t *testing.T) {
	r := start(t, "sim:line?switches=2")
	text := r.ask("help").Text
	for _, v := range append(scenario.Verbs(), control.Queries()...) {
		if !strings.Contains(text, v.Name) || v.Help == "" {
			t.Errorf("help does not tell of %s", v.Name)
		}
	}
}

// The protocol as a program without this package has it: identifiers come back,
// lines that are none are refused, one that is too long ends the connection, and so says the answer.
func TestProtocol(t *testing.T) {
	r := start(t, "sim:line?switches=2")
	c, err := net.Dial("unix", r.path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(20 * time.Second))
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, 1<<20)
	for send, want := range map[string]string{
		`{"id":7,"command":"note x"}`: `{"id":7,"ok":true,"events":[{"at":`,
		`{"id":"a","command":"note"}`: `{"id":"a","ok":false,"error":"column`,
		`link down x`:                 `{"ok":false,"error":"expected a line as {\"command\":\"list nodes\"}`,
		`{"command":["x"]}`:           `{"ok":false,"error":"expected a line as {\"command\":\"list nodes\"}: command found array"}`,
		`[]`:                          `{"ok":false,"error":"expected a line as {\"command\":\"list nodes\"}: found array"}`,
	} {
		fmt.Fprintf(c, "\n%s\n", send)
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), want) {
			t.Errorf("%s: %s, %v", send, lines.Text(), lines.Err())
		}
	}
	go fmt.Fprintf(c, "%s\n", strings.Repeat("x", 1<<20))
	if !lines.Scan() || lines.Text() != `{"ok":false,"error":"the line is longer than 65536 bytes"}` {
		t.Errorf("a line that is too long: %s, %v", lines.Text(), lines.Err())
	}
	if lines.Scan() {
		t.Errorf("after it: %s", lines.Text())
	}
}

// One connection too many is told so.
func TestManyConnections(t *testing.T) {
	r := start(t, "sim:line?switches=2")
	conns := []*control.Conn{r.Conn}
	for len(conns) < 64 {
		c, err := control.Dial(t.Context(), r.path)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		conns = append(conns, c)
	}
	for _, c := range conns {
		if reply, err := c.Do(t.Context(), "status"); err != nil || !reply.OK {
			t.Fatalf("%+v, %v", reply, err)
		}
	}
	c, err := net.Dial("unix", r.path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	b, _ := io.ReadAll(c)
	if want := `{"ok":false,"error":"there are 64 connections already, or the simulator ends"}` + "\n"; string(b) != want {
		t.Errorf("%q, want %q", b, want)
	}
}

// FuzzControl: whatever comes, each line has one line for an answer, and the
// next connection is served.
func FuzzControl(f *testing.F) {
	for _, v := range append(scenario.Verbs(), control.Queries()...) {
		args := strings.NewReplacer("NODE/PORT", "random", "NODE[/PORT]", "*/*", "NODE", "switch01", "COUNTER=N…", "SymbolErrorCounter=3",
			"GUID", "0x77", "TEXT", "text", "LID", "3", "[", "", "]", "", "=N", "=2", "=D", "=1s", "SHARE", "3%", "RATE", "1xSDR",
			"=NAME", "=NodeInfo", "NAME", "leaf*", "DURATION", "1ms", "CLIENT", "2").Replace(v.Args)
		b, _ := json.Marshal(control.Request{Command: v.Name + " " + args})
		f.Add(b)
	}
	f.Add([]byte("{\"command\":\"note a\"}\n{\"command\":\"dump\"}\n\n[]"))
	r := start(f, "sim:line?switches=2")
	f.Fuzz(func(t *testing.T, input []byte) {
		if strings.Contains(string(input), "wait") {
			t.Skip("it may wait")
		}
		c, err := net.Dial("unix", r.path)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(10 * time.Second))
		go func() {
			c.Write(append(input, '\n'))
			c.(*net.UnixConn).CloseWrite()
		}()
		lines := bufio.NewScanner(c)
		lines.Buffer(nil, 64<<20)
		n := 0
		for ; lines.Scan(); n++ {
			var reply control.Reply
			var any struct {
				OK    *bool   `json:"ok"`
				Error *string `json:"error"`
			}
			if err := json.Unmarshal(lines.Bytes(), &any); err != nil || any.OK == nil || *any.OK == (any.Error != nil) {
				t.Fatalf("%q: %v %+v", lines.Text(), err, reply)
			}
		}
		if n > strings.Count(string(input), "\n")+1 {
			t.Fatalf("%d answers", n)
		}
		var next net.Error
		if err := lines.Err(); errors.As(err, &next) && next.Timeout() {
			t.Fatal("no answer")
		}
	})
}
