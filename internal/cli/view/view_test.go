package view_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/view"
	"github.com/ibscope/ibscope/internal/source"
)

// client is a browser for who has none: it keeps cookies.
func client(t *testing.T, url string) func(path string, into any) int {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar}
	base, _, _ := strings.Cut(url, "/?")
	get := func(url string, into any) int {
		r, err := c.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		if into != nil {
			if err := json.Unmarshal(data, into); err != nil {
				t.Fatalf("%s: %v: %.200s", url, err, data)
			}
		}
		return r.StatusCode
	}
	if status := get(url, nil); status != http.StatusOK {
		t.Fatalf("%s: status %d", url, status)
	}
	return func(path string, into any) int { return get(base+path, into) }
}

type fabricsOf struct {
	Items []struct {
		Name, Status string
		Counts       struct{ Nodes int }
	}
}

// A file is shown as it is.
func TestFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.topo")
	text := "vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0x1\nswitchguid=0x1(1)\nSwitch\t2 \"S-0000000000000001\"\t\t# \"leaf\" base port 0 lid 1 lmc 0\n[1]\t\"H-0000000000000002\"[1](3) \t\t# \"host one\" lid 2 4xHDR\n\n" +
		"vendid=0x2c9\ndevid=0x101b\nsysimgguid=0x2\ncaguid=0x2\nCa\t1 \"H-0000000000000002\"\t\t# \"host one\"\n[1](3) \t\"S-0000000000000001\"[1]\t\t# lid 2 lmc 0 \"leaf\" lid 1 4xHDR\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	get := client(t, start(t, file))
	var all fabricsOf
	get("/api/v1/fabrics", &all)
	if len(all.Items) != 1 || all.Items[0].Status != "stored" || all.Items[0].Counts.Nodes != 2 {
		t.Fatalf("%+v", all)
	}
	var m struct{ Nodes struct{ Name []string } }
	get("/api/v1/fabrics/"+all.Items[0].Name+"/map", &m)
	if strings.Join(m.Nodes.Name, ",") != "leaf,host one" {
		t.Errorf("nodes %q", m.Nodes.Name)
	}
}

// A simulated fabric is watched: what happens to it can be asked for.
func TestSimulated(t *testing.T) {
	file := scenario(t, "name: One\ntopology: sim:fattree?levels=2&radix=4&hosts=4\ntimeline:\n  - {at: 1s, do: kill node0003}\n")
	get := client(t, start(t, "--scenario", file, "--refresh", "200ms", "--interval", "200ms"))
	var events struct{ Items []struct{ Kind string } }
	for range 600 {
		get("/api/v1/events", &events)
		if len(events.Items) > 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if len(events.Items) == 0 || events.Items[0].Kind != "node-vanished" {
		t.Errorf("events %+v", events)
	}
}

func TestRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"--listen 0.0.0.0:0: expected a loopback address": {"--listen", "0.0.0.0:0", "sim:ring"},
		"--listen nowhere: expected a loopback":           {"--listen", "nowhere", "sim:ring"},
		"--interval 1ms: expected a time":                 {"--interval", "1ms", "sim:ring"},
		"--refresh 2h0m0s: expected a time":               {"--refresh", "2h", "sim:ring"},
		"no such file":                                    {"/nonexistent/file"},
		"expected a topology file or a generator":         {"sim:"},
	} {
		var out, complaints bytes.Buffer
		e := &env.Env{
			Sources: source.Others, Args: []string{"ibscope"}, Stdout: &out, Stderr: &complaints, Now: time.Now,
			Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false },
		}
		c := view.Command(e)
		c.SetArgs(args)
		c.SilenceErrors, c.SilenceUsage = true, true
		err := c.ExecuteContext(t.Context())
		var exit *env.ExitError
		if !errors.As(err, &exit) || exit.Code == 0 || out.Len() > 0 || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, %q, want %q", args, err, out.String(), want)
		}
	}
}
