package ibswportwatch

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/mad/pma"
)

func world(args ...string) (e *env.Env, out *bytes.Buffer) {
	out = &bytes.Buffer{}
	return &env.Env{
		Sources: source.Others,
		Args:    append([]string{"ibswportwatch"}, args...), Stdout: out, Stderr: &bytes.Buffer{}, Now: time.Now,
		Getenv: func(name string) string {
			return map[string]string{"IBSCOPE_FABRIC": "sim:star?hosts=2"}[name]
		},
		IsTerminal: func(any) bool { return false },
	}, out
}

func TestWatch(t *testing.T) {
	e, out := world("-p", "0.001", "-n", "2", "1", "1")
	if code := Run(t.Context(), e); code != 0 || out.String() != "Checking counts...\nChecking counts...\n" {
		t.Errorf("exit %d, %s", code, out)
	}
	e, out = world("--output", "json", "-p", "0.001", "-n", "2", "1", "1")
	code := Run(t.Context(), e)
	var d document
	if err := json.Unmarshal(out.Bytes(), &d); err != nil || code != 0 || len(d.Cycles) != 2 || len(d.Cycles[0].Counters) != len(watched) {
		t.Errorf("exit %d, %v, %s", code, err, out)
	}
	for _, args := range []string{"1", "-p 0 1 1", "-n x 1 1", "1 256", "-h"} {
		e, out = world(strings.Fields(args)...)
		if code := Run(t.Context(), e); code != diags.ExitUsage || !strings.HasPrefix(out.String(), "Usage: ibswportwatch ") {
			t.Errorf("%s: exit %d, %s", args, code, out)
		}
	}
}

func TestRates(t *testing.T) {
	start := time.Unix(0, 0)
	old := reading{start, pma.PortCounters{SymbolErrors: 5, RcvErrors: 9, XmitData: 100}}
	new := reading{start.Add(2 * time.Second), pma.PortCounters{SymbolErrors: 65, RcvErrors: 12, XmitData: 101}}
	e, out := world()
	s := &settings{bytes: true}
	s.print(e, old, new)
	want := "Detected excessive rate for SymbolErrorCounter (30 cnts/sec)\nDetected rate for PortRcvErrors (1.5 cnts/sec)\n" +
		"   0.5 PortXmitData/second\n   0 PortRcvData/second\n   0 PortXmitPkts/second\n   0 PortRcvPkts/second\n"
	if out.String() != want {
		t.Errorf("%s", out)
	}
}
