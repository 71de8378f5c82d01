package testenv

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRequired(t *testing.T) {
	for _, tc := range []struct {
		list, name string
		want       bool
	}{
		{"", "ibsim", false},
		{"all", "ibsim", true},
		{"all", "corpus", false},
		{"all", "root", false},
		{"all,corpus", "corpus", true},
		{"opensm, ibsim", "ibsim", true},
		{"opensm", "ibsim", false},
		{"ibsimx", "ibsim", false},
	} {
		if got := required(tc.list, tc.name); got != tc.want {
			t.Errorf("required(%q, %q) = %v", tc.list, tc.name, got)
		}
	}
}

func TestNeedSkipsWithReason(t *testing.T) {
	t.Setenv(requireEnv, "")
	t.Run("missing", func(t *testing.T) {
		t.Cleanup(func() {
			if !t.Skipped() {
				t.Error("a missing program did not skip the test")
			}
		})
		Need(t, "no-such-program")
	})
	if reason := missing("no-such-program"); !strings.Contains(reason, "no-such-program") {
		t.Errorf("reason %q does not name the program", reason)
	}
	if reason := missing("sh"); reason != "" {
		t.Errorf("sh: %s", reason)
	}
}

func TestLimits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "big.net")
	text := strings.Repeat("Switch\t36 \"S\"\n[1] \"H\"[1]\n\nCa 2 \"Host 9\"\n\n", 1500)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := ibsimLimits(file)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"-N", "3016", "-S", "1516", "-P", "60016"}
	if !slices.Equal(got, want) {
		t.Errorf("limits %q, want %q", got, want)
	}
	if got := limitArgs(3, 1, 20); got != nil {
		t.Errorf("a small fabric got %q", got)
	}
}

func TestRunC(t *testing.T) {
	Need(t, "ibsim", "umad2sim", "smpquery")
	sim := StartIbsim(t, "testdata/two.net")
	if !sim.Listening() {
		t.Fatal("ready, but no control socket")
	}
	stdout, stderr, code := RunC(t, sim, "right", "smpquery", "nodedesc", "-D", "0,1")
	if code != 0 || !strings.Contains(stdout, "left") {
		t.Errorf("smpquery: code %d\n%s%s", code, stdout, stderr)
	}
	if _, _, code = RunC(t, sim, "right", "smpquery", "nodedesc", "-D", "0,2"); code == 0 {
		t.Error("an unconnected port answered")
	}
	sim.Kill()
	if sim.Listening() {
		t.Error("killed, but the control socket is there")
	}
}

func TestIbsimUDP(t *testing.T) {
	Need(t, "ibsim")
	sim := StartIbsim(t, "testdata/two.net", IbsimUDP(t))
	if !sim.Listening() {
		t.Error("not listening")
	}
	sim.Kill()
	if sim.Listening() {
		t.Error("killed, but its ports are taken")
	}
}

func TestGolden(t *testing.T) {
	Golden(t, "golden.txt", []byte("one line\n"))
	if !strings.Contains(diff([]byte("a\nb\n"), []byte("a\nc\n")), "c") {
		t.Error("a difference is not shown")
	}
}
