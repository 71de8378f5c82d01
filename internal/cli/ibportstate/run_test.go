package ibportstate_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/ibportstate"
	"github.com/ibscope/ibscope/internal/source"
)

// run runs a command line on a fabric; secret answers the prompt.
func run(t *testing.T, uri, secret, line string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Sources: source.Others,
		Args:    append([]string{"ibportstate"}, strings.Fields(line)...), Stdin: bytes.NewReader(nil), Stdout: &out, Stderr: &told,
		Now: time.Now, DiagConfig: "/nonexistent", IsTerminal: func(any) bool { return false },
		Getenv: func(name string) string {
			if name == "IBSCOPE_FABRIC" {
				return uri
			}
			return ""
		},
		ReadPassword: func(string) (string, error) {
			if secret == "" {
				return "", io.EOF
			}
			return secret, nil
		},
	}
	code = ibportstate.Run(t.Context(), e)
	return out.String(), told.String(), code
}

const star = "sim:star?hosts=4"

// TestGuard: only what takes down a port that carries the session is refused.
func TestGuard(t *testing.T) {
	const tree = "sim:fattree?radix=4&levels=2"
	for _, tt := range []struct {
		uri, line, refusal string // "" for none
	}{
		{star, "-D 0 1 disable", "disable of port 1"},
		{star, "-D 0 1 off", "off of port 1"},
		{star, "-D 0 1 reset", "the local port"},
		{star, "-D 0 1 enable", "the local port"},
		{star, "-D 0 1 down", "the local port"},
		{star, "2 1 down", "the local port"},
		{star, "-D 0,1 1 disable", "the other end of the local port's link"},
		{star, "1 1 disable", "the other end of the local port's link"},
		{star, "-D 0,1,2 1 disable", "on the way"},
		{star, "3 1 reset", "on the way"},
		{star, "-D 0 1 disable --dry-run", "the local port"},
		{star, "-D 0 1 disable --force", ""},
		{star, "-D 0 1 on", ""},
		{star, "-D 0 1 active", ""},
		{star, "-D 0 1 width 1 speed 1 mtu 4 lid 9", ""},
		{star, "-D 0,1 2 disable", ""},
		{star, "1 2 reset", ""},
		{star, "-D 0,1,2 1 width 1", ""},
		{tree, "-D 0,1 3 disable --dry-run", ""},
		{tree, "-D 0,1,3 1 disable --dry-run", "on the way"},
		{tree, "-D 0,1,3 2 disable --dry-run", ""},
	} {
		stdout, stderr, code := run(t, tt.uri, "", tt.line)
		refused := strings.Contains(stdout, "refused")
		if refused != (tt.refusal != "") || !strings.Contains(stdout, tt.refusal) || refused != (code == 255) || refused && strings.Contains(stdout, "After") {
			t.Errorf("%s: exit code %d\n%s%s", tt.line, code, stdout, stderr)
		}
		if refused && !strings.Contains(stdout, "--force does it") {
			t.Errorf("%s does not tell of --force:\n%s", tt.line, stdout)
		}
	}
}

// TestDryRun: what would change is shown, and nothing is set.
func TestDryRun(t *testing.T) {
	for _, tt := range []struct{ line, want, not string }{
		{"1 2 disable --dry-run", "Disable may be irreversible\nDry run: Set(PortInfo) modifier 0x80000002 to Lid 1, not sent, would change\n  PhysLinkState: LinkUp -> Disabled\n", "After"},
		{"1 2 query speed 1 --dry-run", "  LinkSpeedEnabled: 2.5 Gbps or 5.0 Gbps or 10.0 Gbps -> 2.5 Gbps\n", "LinkState: "},
		{"1 2 fdr10 1 --dry-run", "Dry run: Set(MlnxExtPortInfo) modifier 0x2 to Lid 1", "After"},
		{"3 1 mkey 5 --dry-run", "  Mkey: <not displayed> -> <not displayed>\n", "0x0000000000000005"},
		{"-K 3 1 mkey 5 --dry-run", "  Mkey: 0x0000000000000000 -> 0x0000000000000005\n", "After"},
		{"1 2 width 0 --dry-run", "would change nothing\n", "  "},
		{"1 2 on --dry-run", "Port is already in enable state\n", "Dry run"},
		{"1 2 --dry-run", "Peer PortInfo:", "Dry run"},
	} {
		stdout, stderr, code := run(t, star, "", tt.line)
		_, after, _ := strings.Cut(stdout, "Dry run")
		if code != 0 || !strings.Contains(strings.ReplaceAll(stdout, "ExtendedPortInfo", "MlnxExtPortInfo"), tt.want) || after != "" && strings.Contains(after, tt.not) || after == "" && strings.Contains(stdout, tt.not) {
			t.Errorf("%s: exit code %d\n%s%s", tt.line, code, stdout, stderr)
		}
	}
}

// TestNewKey asks for a key that is no number.
func TestNewKey(t *testing.T) {
	for _, tt := range []struct {
		secret, want string
		code         int
	}{
		{"0x99", "Mkey: 0x0000000000000000 -> 0x0000000000000099", 0},
		{"x", "Bad new M_Key\n\n", 255},
		{"", "Bad new M_Key\n\n", 255},
	} {
		if stdout, _, code := run(t, star, tt.secret, "-K 3 1 mkey ask --dry-run"); code != tt.code || !strings.Contains(stdout, tt.want) {
			t.Errorf("%q: exit code %d\n%s", tt.secret, code, stdout)
		}
	}
}

// TestDocument: one document, whatever happens.
func TestDocument(t *testing.T) {
	for _, tt := range []struct {
		line     string
		code     int
		complete bool
		has      []string
	}{
		{"-o json 1 2", 0, true, []string{"initial", "peer", "shortfalls"}},
		{"--output json 1 2 disable", 0, true, []string{"initial", "after"}},
		{"--output json 1 2 disable --dry-run", 0, true, []string{"initial", "planned"}},
		{"--output json -D 0 1 disable", 255, false, []string{"initial"}},
		{"--output json 1 200", 255, false, []string{"initial"}},
		{"--output json 1 2 nonsense", 255, false, nil},
	} {
		stdout, stderr, code := run(t, star, "", tt.line)
		var doc map[string]any
		if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code != tt.code {
			t.Errorf("%s: exit code %d, %v\n%s%s", tt.line, code, err, stdout, stderr)
			continue
		}
		if doc["complete"] != tt.complete || doc["schema"] != "ibscope.ibportstate" {
			t.Errorf("%s: %s", tt.line, stdout)
		}
		for _, name := range []string{"initial", "after", "peer", "shortfalls", "planned"} {
			_, there := doc[name]
			if want := slices.Contains(tt.has, name); there != want {
				t.Errorf("%s: %s is there: %v, want %v", tt.line, name, there, want)
			}
		}
		if strings.Contains(stdout, `"m_key":`) {
			t.Errorf("%s shows the M_Key", tt.line)
		}
	}
}
