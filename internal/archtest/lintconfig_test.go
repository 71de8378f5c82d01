package archtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the depguard rules into .golangci.yml")

const (
	beginMark = "      # begin rules from internal/archtest\n"
	endMark   = "      # end rules from internal/archtest\n"
)

// TestLintConfig compares the depguard rules in .golangci.yml with the table of
// layers, or writes them with -update.
func TestLintConfig(t *testing.T) {
	file := filepath.Join(root, ".golangci.yml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(data), beginMark)
	old, tail, ok2 := strings.Cut(rest, endMark)
	if !ok1 || !ok2 {
		t.Fatalf("%s lacks the marks around the generated rules", file)
	}
	want := depguardRules()
	if old == want {
		return
	}
	if !*update {
		t.Fatalf("%s does not have the rules of layers_test.go; run: go test ./internal/archtest -update", file)
	}
	if err := os.WriteFile(file, []byte(head+beginMark+want+endMark+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// depguardRules renders the table. In depguard a longer allow entry wins over
// a shorter deny entry, and a trailing $ asks for the exact path.
func depguardRules() string {
	var b strings.Builder
	for i, l := range layers {
		if match(l.own, "anything") {
			continue
		}
		files := append(globs("", l.pkgs), earlier(i, l.pkgs)...)
		rule(&b, l.name, files, importPaths(l.own), module+"/", l.why)
	}
	for _, o := range outsides {
		if match(o.pkgs, "anything") {
			continue
		}
		files := append([]string{"$all"}, globs("!", o.pkgs)...)
		name := strings.ReplaceAll(filepath.Base(o.path), ".", "-") // golangci-lint takes a dot for a level more
		rule(&b, "module-"+name, files, nil, o.path, o.why)
	}
	return b.String()
}

// earlier excludes what layers before the i-th have taken out of its patterns:
// the table is read from the top, depguard applies every rule that fits.
func earlier(i int, pkgs []string) []string {
	var list []string
	for _, l := range layers[:i] {
		for _, p := range l.pkgs {
			if match(pkgs, p) {
				list = append(list, globs("!", []string{p})...)
			}
		}
	}
	return list
}

func rule(b *strings.Builder, name string, files, allow []string, deny, why string) {
	fmt.Fprintf(b, "        %s:\n          list-mode: lax\n          files:\n            - \"!$test\"\n", name)
	for _, f := range files {
		fmt.Fprintf(b, "            - %q\n", f)
	}
	if len(allow) > 0 {
		b.WriteString("          allow:\n")
	}
	for _, a := range allow {
		fmt.Fprintf(b, "            - %s\n", a)
	}
	fmt.Fprintf(b, "          deny:\n            - pkg: %s\n              desc: %q\n", deny, why)
}

// globs turns package patterns into file patterns.
func globs(not string, pkgs []string) []string {
	var list []string
	for _, p := range pkgs {
		if dir, below := strings.CutSuffix(p, "/*"); below {
			p = dir + "/*/**"
		} else {
			p += "/*.go"
		}
		list = append(list, not+"${config-path}/"+p)
	}
	return list
}

// importPaths turns package patterns into depguard's import prefixes.
func importPaths(pkgs []string) []string {
	var list []string
	for _, p := range pkgs {
		if dir, below := strings.CutSuffix(p, "/*"); below {
			list = append(list, module+"/"+dir+"/")
		} else {
			list = append(list, module+"/"+p+"$")
		}
	}
	return list
}
