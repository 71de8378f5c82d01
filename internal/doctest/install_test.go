package doctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// makeTarget runs make at the top of the tree.
func makeTarget(t *testing.T, args ...string) string {
	t.Helper()
	testenv.Need(t, "make")
	c := exec.CommandContext(t.Context(), "make", append([]string{"-s"}, args...)...)
	c.Dir = "../.."
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("make %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestInstall puts everything where docs/deploy.md says.
func TestInstall(t *testing.T) {
	root := t.TempDir()
	makeTarget(t, "install", "PREFIX=/opt/ibscope", "DESTDIR="+root)
	for name, want := range map[string]string{
		"bin/ibscope":                                  "\x7fELF",
		"bin/ibnetdiscover":                            "\x7fELF",
		"share/man/man1/ibscope-serve.1":               "health",
		"share/man/man8/ibnetdiscover.8":               "ibnetdiscover",
		"share/bash-completion/completions/ibscope":    "__start_ibscope",
		"share/zsh/site-functions/_ibscope":            "#compdef ibscope",
		"share/fish/vendor_completions.d/ibscope.fish": "complete -c ibscope",
		"lib/systemd/system/ibscope-serve.service":     "\nExecStart=/opt/ibscope/bin/ibscope serve --config ",
		"lib/sysusers.d/ibscope.conf":                  "u ibscope ",
		"lib/udev/rules.d/90-ibscope.rules":            `GROUP="rdma"`,
	} {
		if text, err := os.ReadFile(filepath.Join(root, "opt/ibscope", name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, expected %q in it", name, err, want)
		}
	}
	makeTarget(t, "install", "PREFIX=/usr", "DESTDIR="+root, "LINKS=no")
	if names, err := os.ReadDir(filepath.Join(root, "usr/bin")); err != nil || len(names) != 1 {
		t.Errorf("without links there are %v, %v", names, err)
	}
}

// TestPackage makes a package of Debian with nothing in it that one of infiniband-diags
// has.
func TestPackage(t *testing.T) {
	testenv.Need(t, "dpkg-deb")
	t.Setenv("DPKG_DEB_COMPRESSOR_LEVEL", "0")
	out := makeTarget(t, "deb")
	_, path, _ := strings.Cut(out, "' in '")
	path, _, _ = strings.Cut(path, "'")
	path = filepath.Join("../..", path)
	defer os.Remove(path)
	fields, err := exec.CommandContext(t.Context(), "dpkg-deb", "--field", path, "Package", "Version").CombinedOutput()
	if err != nil || !regexp.MustCompile(`^Package: ibscope\nVersion: [0-9][0-9a-z.+~]*\n$`).Match(fields) {
		t.Fatalf("%s: %v %s", path, err, fields)
	}
	list, err := exec.CommandContext(t.Context(), "dpkg-deb", "--contents", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, list)
	}
	for _, want := range []string{" ./usr/bin/ibscope\n", " ./usr/share/man/man1/ibscope-serve.1.gz\n", " ./lib/systemd/system/ibscope-serve.service\n", " ./usr/share/doc/ibscope/copyright\n"} {
		if !strings.Contains(string(list), want) {
			t.Errorf("no %q", want)
		}
	}
	for line := range strings.Lines(string(list)) {
		if !strings.Contains(line, " root/root ") || strings.Contains(line, "ibnetdiscover") || strings.Contains(line, "/etc/") {
			t.Errorf("%s", line)
		}
	}
}
