package diags

import (
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

var numbers = []string{
	"", "0", "7", "-7", "+7", " \t7", "7x", "x7", "0x1f", "0X1F", "0x", "0xg", "010", "08", "-0x10", "- 1",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"18446744073709551615", "18446744073709551616", "0xffffffffffffffffff", "4294967298", "1_000", "0b1", "0o7", "--1",
}

func TestLeadingInt(t *testing.T) {
	for text, want := range map[string]int64{
		"0x1f": 31, "010": 8, "08": 0, "-7x": -7, "0b1": 0, "1_000": 1,
		"9223372036854775808": math.MaxInt64, "-9223372036854775809": math.MinInt64, "-9223372036854775808": math.MinInt64,
	} {
		if got := LeadingInt(text); got != want {
			t.Errorf("%q gives %d, want %d", text, got, want)
		}
	}
}

// TestLeadingIntLikeC compares with strtol.
func TestLeadingIntLikeC(t *testing.T) {
	testenv.Need(t, "python3")
	script := `import ctypes, sys
l = ctypes.CDLL(None)
l.strtol.restype = ctypes.c_long
for a in sys.argv[1:]:
    print(l.strtol(a.encode(), None, 0))`
	out, err := exec.Command("python3", append([]string{"-c", script}, numbers...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range strings.Fields(string(out)) {
		if got := strconv.FormatInt(LeadingInt(numbers[i]), 10); got != want {
			t.Errorf("%q gives %s, strtol %s", numbers[i], got, want)
		}
	}
}

func FuzzLeadingInt(f *testing.F) {
	for _, n := range numbers {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, err := strconv.ParseInt(text, 10, 64)
		if err == nil && !strings.HasPrefix(strings.TrimLeft(text, "+-"), "0") && LeadingInt(text) != want {
			t.Errorf("%q gives %d", text, LeadingInt(text))
		}
	})
}
