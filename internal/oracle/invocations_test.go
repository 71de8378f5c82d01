package oracle_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// leastInvocations is how many rows the table has at least.
const leastInvocations = 400

// An invocation is a row of testdata/invocations.txt.
type invocation struct {
	fabric  string // its name, of places
	command string // as in the file
}

func (i *invocation) String() string { return i.fabric + " " + i.command }

func (i *invocation) tool() string { return strings.Fields(i.command)[0] }

// invocations reads the table.
func invocations(t *testing.T) []*invocation {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "invocations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []*invocation
	seen := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fabric, command, _ := strings.Cut(line, " ")
		row := &invocation{fabric, strings.TrimSpace(command)}
		if places[fabric] == nil || command == "" {
			t.Fatalf("%q: not a fabric and a command line", line)
		}
		if seen[row.String()] && !steps[fabric] {
			t.Errorf("%q is in the table twice", row)
		}
		seen[row.String()] = true
		rows = append(rows, row)
	}
	return rows
}

// TestInvocations runs each row of the table with the C tool and with ours. Both
// print the same and end alike, but for what testdata/differences.txt declares, and
// all of that is found.
//
// The rows of one tool on one fabric run in their order, so that one may change
// what the next one shows; those of different tools at the same time.
func TestInvocations(t *testing.T) {
	testenv.Need(t, "ibsim", "umad2sim", "opensm", "perl", "ibnetdiscover", "ibv_devinfo")
	if _, err := os.Stat("/sys/class/infiniband"); err == nil {
		t.Skip("this machine has devices of its own")
	}
	rows := invocations(t)
	if len(rows) < leastInvocations {
		t.Errorf("%d rows, expected %d at least", len(rows), leastInvocations)
	}
	declared := readDifferences(t)
	w := newWorlds(t)
	var order []string
	groups := map[string][]*invocation{}
	for _, row := range rows {
		key := row.tool() + " on " + row.fabric
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], row)
	}
	var ran atomic.Int64
	t.Run("rows", func(t *testing.T) {
		for _, key := range order {
			t.Run(key, func(t *testing.T) {
				t.Parallel()
				p := w.place(t, groups[key][0].fabric)
				for _, row := range groups[key] {
					t.Run(row.command, func(t *testing.T) {
						ran.Add(1)
						declared.compare(t, row, w, p)
					})
				}
			})
		}
	})
	if int(ran.Load()) == len(rows) {
		declared.allFound(t)
	}
	t.Logf("%d rows in %d groups", ran.Load(), len(groups))
}

// uncovered are options without a row, of all tools or one.
var uncovered = map[string]bool{
	"--debug":              true, // prints packets, addresses and transaction IDs
	"ibnetdiscover --show": true, // in the order of the sweep: compareShow
	"ibping --Server":      true, // serves until it is killed
	"ibsysstat --Server":   true,
}

// TestInvocationsCoverOptions wants a row for each option that the usage text of a
// C tool lists, by its long name or its letter.
func TestInvocationsCoverOptions(t *testing.T) {
	testenv.Need(t, "ibnetdiscover")
	used := map[string]map[string]bool{}
	for _, row := range invocations(t) {
		tool := row.tool()
		if used[tool] == nil {
			used[tool] = map[string]bool{}
		}
		for _, word := range strings.Fields(row.command)[1:] {
			word, _, _ = strings.Cut(word, "=")
			used[tool][word] = true
			if len(word) > 2 && word[0] == '-' && word[1] != '-' {
				for _, letter := range word[1:] {
					used[tool]["-"+string(letter)] = true
				}
			}
		}
	}
	for tool := range strings.FieldsSeq(ours(t, "", "ibscope", "tools").stdout) {
		if _, err := exec.LookPath(tool); err == nil && used[tool] == nil {
			t.Errorf("%s: no row", tool)
		}
	}
	for tool := range used {
		if tool == "dump_lfts" || tool == "dump_mfts" {
			continue // what runs is dump_fts
		}
		usage := (&place{}).runC(t, []string{tool, "-h"})
		for line := range strings.Lines(usage.stderr) {
			words := strings.Fields(strings.ReplaceAll(line, ",", ""))
			if len(words) < 2 || !strings.HasPrefix(words[0], "--") || uncovered[words[0]] || uncovered[tool+" "+words[0]] {
				continue
			}
			if !used[tool][words[0]] && !(strings.HasPrefix(words[1], "-") && used[tool][words[1]]) {
				t.Errorf("%s: no row has the option of the line %q", tool, strings.TrimSpace(line))
			}
		}
	}
}
