package oracle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// cacheEdits are the options; the files follow.
var cacheEdits = []string{
	"", "--switchguid 0x200000:0x300000", "--caguid 0x100000:0x500000", "--switchguid 0x100000:0x3", "--caguid 0x200001:0x3",
	"--sysimgguid 0x100000:0x999", "--sysimgguid 0x99:0x999", "--portguid 0x100000:0x100001:0x777", "--portguid 0x100000:0x100009:0x777",
	"--portguid 0x100099:0x100009:0x777", "--portguid 0x200001:0x200001:0x777", "--caguid 0x77:1", "--caguid :5", "--caguid 0x100000:5x",
	"--switchguid 5", "--switchguid :", "--switchguid 5:", "--switchguid zz:5", "--portguid 5:6", "--portguid 5:6:", "--portguid ::5", "--portguid 5::6",
	"--switchguid 0x200000:0x300000 --switchguid 0x200001:0x300001", "--switchguid 0x200000:0x300000:0x5", "--caguid 0x100000:-5", "--caguid 100000:5",
	"--portguid 0x300000:0x300000:0x400000 --switchguid 0x200000:0x300000", "--caguid 0x100000:0x600000 --portguid 0x600000:0x100002:0x600002 --sysimgguid 0x100003:6",
	"--switchguid 0x200000:0x200001 --portguid 0x200001:0x200001:0x9", "--caguid", "--s 1:2", "-h", "-Z", "-C x", "--sysi 0x100000:1",
}

// TestIbcacheedit edits a file that C has written, by C and by us.
func TestIbcacheedit(t *testing.T) {
	testenv.Need(t, "ibsim", "ibnetdiscover", "ibcacheedit", "umad2sim")
	dir := t.TempDir()
	from := filepath.Join(dir, "c.cache")
	sim := testenv.StartIbsim(t, testenv.Example(t, "net.2sw2path4hca2port"))
	if r := c(t, sim, "", "ibnetdiscover", "--cache", from); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for _, line := range cacheEdits {
		t.Run(line, func(t *testing.T) { editBoth(t, sim, line, from) })
	}
	for _, files := range [][]string{{}, {from}, {"/nonexistent"}, {"/nonexistent", "x"}, {"/dev/null", "x"}, {from, "/nonexistent/x"}, {from, dir}} {
		args := append([]string{"ibcacheedit"}, files...)
		want, got := c(t, sim, "", args...), ours(t, "", args...)
		want.stdout = strings.ReplaceAll(want.stdout, "/usr/sbin/", "")
		if want.code != got.code || want.stdout != got.stdout {
			t.Errorf("%q: exit code %d, %q, C has %d, %q", files, got.code, got.stdout, want.code, want.stdout)
		}
	}
}

func editBoth(t *testing.T, sim *testenv.Ibsim, line, from string) {
	t.Helper()
	toC, toUs := filepath.Join(t.TempDir(), "c"), filepath.Join(t.TempDir(), "ours")
	args := append([]string{"ibcacheedit"}, strings.Fields(line)...)
	want, got := c(t, sim, "", append(args, from, toC)...), ours(t, "", append(args, from, toUs)...)
	compare(t, result{strings.ReplaceAll(want.stdout, "/usr/sbin/", ""), "", want.code}, result{got.stdout, "", got.code})
	if diff := cmp.Diff(strings.ReplaceAll(want.stderr, "/usr/sbin/", ""), got.stderr); diff != "" {
		t.Errorf("stderr (-C +ours)\n%s", diff)
	}
	theirs, theirErr := os.ReadFile(toC)
	mine, myErr := os.ReadFile(toUs)
	if string(theirs) != string(mine) || (theirErr == nil) != (myErr == nil) {
		t.Errorf("the files differ: %d bytes (%v), C has %d (%v)", len(mine), myErr, len(theirs), theirErr)
	}
}
