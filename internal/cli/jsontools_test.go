package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli"
	"github.com/ibscope/ibscope/internal/testenv"
)

// documentLines are tools of which a document is kept in testdata, on a fabric of
// three hosts (LIDs 2 to 4) and a switch.
var documentLines = map[string]string{
	"vendstat":            "vendstat -o json -R 4 -W 8,5,6 1",
	"vendstat-refused":    "vendstat -o json -i 1 3",
	"vendstat-fatal":      "vendstat --output json -N 0",
	"ibping-none":         "ibping --output json -c 0 3",
	"ibsysstat":           "ibsysstat --output=json 3 cpu",
	"ibsysstat-host":      "ibsysstat --output=json 3 host",
	"sminfo":              "sminfo -o json 2",
	"smpdump":             "smpdump -o json -D 0,1 0x11",
	"smpdump-unsupported": "smpdump -o json -D 0,1 0x10011",
	"ibaddr":              "ibaddr -o json 3",
	"ibcacheedit-missing": "ibcacheedit -o json --caguid 1:2 /nonexistent/a /nonexistent/b",
}

var elapsed = regexp.MustCompile(`"elapsed_seconds": [0-9.e-]+`)

func TestDocumentsOfTools(t *testing.T) {
	for name, line := range documentLines {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			e := &cli.Env{
				Args: strings.Fields(line), Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard, Now: time.Now,
				Getenv: func(name string) string {
					return map[string]string{"IBSCOPE_FABRIC": "sim:star?hosts=3&ping=all"}[name]
				},
				IsTerminal: func(any) bool { return false }, DiagConfig: "/nonexistent",
			}
			cli.Run(t.Context(), e)
			if !json.Valid(out.Bytes()) {
				t.Errorf("no JSON: %s", &out)
			}
			got := elapsed.ReplaceAll(out.Bytes(), []byte(`"elapsed_seconds": 0`))
			testenv.Golden(t, "json/"+name+".json", got)
		})
	}
}

// TestDocumentsOfDevices reads a tree without any device.
func TestDocumentsOfDevices(t *testing.T) {
	for _, line := range []string{"ibstat -o json", "ibstatus --output json", "ibv_devices --output=json", "ibv_devinfo --output json -l"} {
		sys := testenv.NewSysfs(t, testenv.SysfsCA{Name: "mlx5_0", Ports: []testenv.SysfsPort{{Num: 1}}})
		sys.Write("class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n")
		sys.Write("class/infiniband_verbs/uverbs0/dev", "231:192\n")
		dev := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dev, "infiniband"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dev, "infiniband/uverbs0"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		e := &cli.Env{
			Args: strings.Fields(line), Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard, Now: time.Now,
			Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false }, DiagConfig: "/nonexistent",
			Sys: sys.Root, Dev: dev,
		}
		code := cli.Run(t.Context(), e)
		var got struct {
			Schema  string
			Devices []struct{ Name string }
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || code != 0 || len(got.Devices) != 1 || got.Devices[0].Name != "mlx5_0" || !strings.HasPrefix(got.Schema, "ibscope.ib") {
			t.Errorf("%s: exit code %d, %v, %s", line, code, err, &out)
		}
	}
}
