package ibprint

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/sim/gen"
)

func try(t *testing.T, k *kind, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Sources: source.Others,
		Args:    append([]string{k.tool.Name}, args...), Stdout: &out, Stderr: &told, Now: time.Now,
		Getenv: func(name string) string {
			if name == "IBSCOPE_FABRIC" {
				return "sim:fattree?levels=2&radix=4"
			}
			return ""
		},
		IsTerminal: func(any) bool { return false },
	}
	code = k.run(t.Context(), e)
	return out.String(), told.String(), code
}

func TestPrint(t *testing.T) {
	out, _, code := try(t, &cas, "node0002")
	if code != 0 || !strings.HasPrefix(out, "Ca\t") || strings.Count(out, "\n") != 2 || !strings.Contains(out, "\n[1]") {
		t.Errorf("exit %d, %q", code, out)
	}
	out, _, code = try(t, &switches, "MF0;leaf02:MQM8700/U1")
	if code != 0 || strings.Count(out, "\n") != 5 {
		t.Errorf("a switch with four links: exit %d, %q", code, out)
	}
	out, told, code := try(t, &switches, "leaf02")
	if code != 255 || out != "" || !strings.Contains(told, `Switch "leaf02" not found`) {
		t.Errorf("a part of a word is no name: exit %d, %q, %q", code, out, told)
	}
	out, _, code = try(t, &cas, "mlx5_0")
	if code != 0 || !strings.Contains(out, "\nWARNING: Found 8 CA's with the name \"mlx5_0\"\n") {
		t.Errorf("exit %d, %q", code, out)
	}
	if out, _, code = try(t, &routers, "-l"); code != exitListed || out != "" {
		t.Errorf("a list without routers: exit %d, %q", code, out)
	}
	if out, _, code = try(t, &switches); code != 2 || !strings.HasPrefix(out, "Usage: ibprintswitch [-R -l] [-G <switch_guid> | <switch_name>]\n") {
		t.Errorf("exit %d, %q", code, out)
	}
}

func TestFits(t *testing.T) {
	f, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	for n := range f.CAs() {
		guid := n.GUID().String()
		for name, want := range map[string]bool{guid: true, strings.ToUpper(guid[2:]): true, "0x" + strings.TrimLeft(guid[2:], "0"): true, "0x1": false, n.Description(): false} {
			if fits(n, name, true) != want {
				t.Errorf("GUID %q: %v", name, !want)
			}
		}
		word, _, _ := strings.Cut(n.Description(), " ")
		for name, want := range map[string]bool{word: true, n.Description(): true, word[1:]: false, "nobody": false} {
			if fits(n, name, false) != want {
				t.Errorf("name %q: %v", name, !want)
			}
		}
	}
}
