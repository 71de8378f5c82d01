package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// comparison is a command that is run in the guest as the C tool and as ours.
type comparison struct {
	line string // of the shell; its first word is the tool

	// before is run first, once for both.
	before string

	// fails is the exit code that the C tool must have, 0 for most: a
	// comparison of two tools that cannot run would prove nothing.
	fails int

	// ownWords says that the two complain in different words: C libraries print
	// what they were about to do, we print what is wrong.
	ownWords bool

	// anyOrder says that the order of lines depends on which replies come first.
	anyOrder bool

	// shows is something that the C tool must print, for the same reason.
	shows string
}

func (c comparison) tool() string { return strings.Fields(c.line)[0] }

// side is what one of the two did.
type side struct {
	Stdout, Stderr string
	Code           int
}

// functions of the scripts: both NAME COMMAND… runs a command twice and keeps
// what it did in /out/NAME.
const functions = `
run() {
	dir=/out/$1/$2 path=$3 tool=$4
	shift 3
	mkdir -p $dir
	PATH=$path:$PATH timeout -s KILL 20 "$@" >$dir/stdout 2>$dir/stderr </dev/null
	echo $? >$dir/code
}
both() {
	name=$1
	shift
	run $name c /usr/sbin:/usr/bin "$@"
	read at rest </proc/uptime
	if [ -e /ours/$1 ]; then run $name ours /ours "$@"; fi
	read end rest </proc/uptime
	echo "$at s: $*; ours until $end s"
}
`

// script runs comparisons; group keeps those of several scripts apart.
func script(group string, list []comparison) string {
	var b strings.Builder
	for i, c := range list {
		if c.before != "" {
			fmt.Fprintf(&b, "%s\n", c.before)
		}
		fmt.Fprintf(&b, "both %s %s\n", name(group, i), c.line)
	}
	return b.String()
}

// name is the folder below /out for the two runs of a comparison.
func name(group string, i int) string { return fmt.Sprintf("%s-%02d", group, i) }

// compare checks what a script has left, one subtest for each command.
func compare(t *testing.T, r *Result, group string, list []comparison) {
	for i, c := range list {
		t.Run(strings.ReplaceAll(c.line, "/", "|"), func(t *testing.T) {
			dir := filepath.Join(r.Out, name(group, i))
			want, ok := readSide(t, filepath.Join(dir, "c"))
			if !ok {
				t.Fatal("the guest did not run it")
			}
			if want.Code != c.fails || !strings.Contains(want.Stdout+want.Stderr, c.shows) {
				t.Errorf("the C tool does not do what it should (exit code %d, %q):\n%+v", c.fails, c.shows, want)
			}
			got, ok := readSide(t, filepath.Join(dir, "ours"))
			if !ok {
				t.Skipf("ibscope has no %s yet", c.tool())
			}
			if c.ownWords && want.Stderr != "" && got.Stderr != "" {
				want.Stderr, got.Stderr = "", ""
			}
			if c.anyOrder {
				want.Stdout, got.Stdout = sortLines(want.Stdout), sortLines(got.Stdout)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("C and ours differ (-C +ours):\n%s", diff)
			}
		})
	}
}

// changing is what differs from run to run: process numbers, the time, what counts
// seconds, and the errno that C's IBPANIC finds left over from some earlier call.
var (
	leftOver = regexp.MustCompile(`(?m)(^ibpanic: .*: ).*$`)
	changing = regexp.MustCompile(`(?m)(^ib\w+: \[)\d+|(generated on ).*|(activity count )\d+`)
)

func sortLines(s string) string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func readSide(t *testing.T, dir string) (s side, ok bool) {
	t.Helper()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return changing.ReplaceAllString(leftOver.ReplaceAllString(string(b), "$1…"), "$1$2$3…")
	}
	if !exists(dir) {
		return s, false
	}
	code, err := strconv.Atoi(strings.TrimSpace(read("code")))
	if err != nil {
		t.Fatal(err)
	}
	return side{read("stdout"), read("stderr"), code}, true
}
