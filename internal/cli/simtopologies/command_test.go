package simtopologies

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/sim/gen"
)

func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := Command(&env.Env{Stdout: &out, Stderr: &out})
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

func TestList(t *testing.T) {
	text, err := run(t, "--json")
	if err != nil {
		t.Fatal(err)
	}
	var list []topology
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	all, err := run(t)
	if err != nil || len(list) != len(gen.Generators()) {
		t.Fatalf("%d generators, %v", len(list), err)
	}
	for _, g := range list {
		one, err := run(t, g.Name)
		if err != nil || !strings.Contains(all, one) || strings.Count(one, "default ") != len(g.Parameters) {
			t.Errorf("%s: %v\n%s", g.Name, err, one)
		}
		if _, err := gen.Parse(strings.TrimPrefix(g.Example, "sim:")); err != nil {
			t.Error(err)
		}
	}
}

func TestUnknown(t *testing.T) {
	if out, err := run(t, "star", "moon"); err == nil || out != "" || !strings.Contains(err.Error(), `"moon" is not a generator: there are fattree`) {
		t.Errorf("%v, output %q", err, out)
	}
}
