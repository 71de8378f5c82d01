package slurm_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/slurm"
	"github.com/ibscope/ibscope/internal/testenv"
)

func TestCompress(t *testing.T) {
	for _, test := range []struct{ names, want string }{
		{"", ""},
		{"a", "a"},
		{"a1", "a1"},
		{"n3 n1 n2 n5", "n[1-3,5]"},
		{"n001 n002 n003 n128", "n[001-003,128]"},
		{"n8 n9 n10 n11", "n[8-11]"},
		{"n08 n09 n10 n11", "n[08-11]"},
		{"n9 n010", "n[9,010]"},
		{"n1 n01 n001", "n[001,01,1]"},
		{"n99 n100", "n[99-100]"},
		{"n099 n100", "n[099-100]"},
		{"b a b", "a,b"},
		{"n n1 n2", "n,n[1-2]"},
		{"n1-ib n2-ib", "n1-ib,n2-ib"},
		{"r1n1 r1n2 r2n1 r2n2", "r1n[1-2],r2n[1-2]"},
		{"7 8 9", "[7-9]"},
		{"x12345678901 x12345678902", "x12[345678901-345678902]"},
	} {
		got := slurm.Compress(strings.Fields(test.names))
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.names, got, test.want)
		}
	}
}

func TestExpand(t *testing.T) {
	for _, test := range []struct{ list, want string }{
		{"", ""},
		{"a,b", "a b"},
		{" a , b1 ", "a b1"},
		{"n[1-3,5]", "n1 n2 n3 n5"},
		{"n[08-11]", "n08 n09 n10 n11"},
		{"r[1-2]n[3-4]x", "r1n3x r1n4x r2n3x r2n4x"},
		{"n[1-1]", "n1"},
	} {
		got, err := slurm.Expand(test.list)
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, %v", test.list, got, err)
		}
	}
	for _, bad := range []string{"a,,b", ",a", "a,", "n[", "n]", "n[1", "n[]", "n[a]", "n[2-1]", "n[1-2", "n[[1]]", "a b", "n[1-99999999]", "n[1-2000][1-2000]", "n[-1]", "n[1-]", "n[+1]"} {
		var e *slurm.ListError
		if names, err := slurm.Expand(bad); !errors.As(err, &e) {
			t.Errorf("%s: %v, %v", bad, names, err)
		}
	}
}

// FuzzLists compresses names and expands them again, by this package and by the
// reader of the tests.
func FuzzLists(f *testing.F) {
	f.Add("n1 n2 n01 n n007 x9 x10")
	f.Add("a1b a2b 5 05")
	f.Fuzz(func(t *testing.T, text string) {
		names := strings.FieldsFunc(text, func(r rune) bool {
			return !strings.ContainsRune("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-", r)
		})
		list := slurm.Compress(names)
		slices.SortFunc(names, topology.CompareNatural)
		names = slices.Compact(names)
		got, err := slurm.Expand(list)
		if err != nil {
			t.Fatalf("%q: %v", list, err)
		}
		again, err := readListOrNone(list)
		if err != nil {
			t.Fatalf("%q: %v", list, err)
		}
		for _, have := range [][]string{got, again} {
			slices.SortFunc(have, topology.CompareNatural)
			if !slices.Equal(have, names) {
				t.Errorf("%q becomes %q and %q", names, list, have)
			}
		}
	})
}

func readListOrNone(list string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	return readList(list)
}

func FuzzExpand(f *testing.F) {
	f.Add("node[001-128,130],r[1-2]n[1-4]")
	f.Fuzz(func(t *testing.T, list string) {
		if names, err := slurm.Expand(list); err == nil && len(names) > slurm.MaxNames {
			t.Errorf("%d names", len(names))
		}
	})
}

// TestCorpusLists expands the lists of real topology.conf files, and compresses
// them again.
func TestCorpusLists(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "slurm", "*topology.conf"))
	if err != nil || len(files) == 0 {
		t.Skip("no topology.conf in the corpus")
	}
	lists := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^[^#\n]*(?:Nodes|Switches)=(\S+)`).FindAllStringSubmatch(string(text), -1) {
			names, err := slurm.Expand(m[1])
			if err != nil {
				t.Errorf("%s: %v", file, err)
			}
			again, err := slurm.Expand(slurm.Compress(names))
			slices.SortFunc(names, topology.CompareNatural)
			slices.SortFunc(again, topology.CompareNatural)
			if err != nil || !slices.Equal(names, again) {
				t.Errorf("%s: %s becomes %s", file, m[1], slurm.Compress(names))
			}
			lists++
		}
	}
	if lists < 40 {
		t.Errorf("%d lists", lists)
	}
}
