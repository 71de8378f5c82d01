package ibfindnodesusing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	for names, want := range map[string]string{
		"":                             "",
		"n1|n01|n001|n2|n02|n002|n3":   "n1|n01|n001-2|n02|n002-3",
		"n9|n10|n099|n100|n101":        "n9-10|n099-101",
		"abc|abc|Abc|ABC":              "ABC|Abc|abc|abc",
		"n3|n2|n1":                     "n1-3",
		"n1|n1|n2|n2|n3":               "n1|n1-2|n2-3",
		"n08|n9|n10|n011":              "n08-011",
		"host1 HCA-1|host2 mlx5_0":     "host1 HCA-1|host2 mlx5_0",
		"a1b10 mlx4_0|a1b10 mlx4_1|a1": "a1|a1b10 mlx4_0-1",
		"w 1 |w 2 ":                    "w 1 |w 2 ",
		"n|1n|n0|n00|n-1|n1":           "1n|n|n0|n00-1|n-1",
		"n99999999999999999999|n5|n100000000000000000000": "n5|n99999999999999999999-100000000000000000000",
		"3|1|2":      "1-3",       // C prints -3
		"c2|c1|c|a1": "a1|c|c1-2", // C takes c for c0
	} {
		var list []string
		if names != "" {
			list = strings.Split(names, "|")
		}
		if diff := cmp.Diff(want, strings.Join(fold(list), "|")); diff != "" {
			t.Errorf("%s: -want +got\n%s", names, diff)
		}
	}
}

func FuzzFold(f *testing.F) {
	f.Add("n1|n2|n9|n10|", "|")
	f.Fuzz(func(t *testing.T, names, sep string) {
		list := strings.Split(names, sep)
		if got := fold(list); len(got) > len(list) || len(got) == 0 && len(list) > 0 {
			t.Errorf("%q becomes %q", list, got)
		}
	})
}
