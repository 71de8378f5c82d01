package scenario_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/sim/scenario"
)

// The document has every command, with its arguments, and its example is good.
func TestDocument(t *testing.T) {
	raw, err := os.ReadFile("../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, v := range scenario.Verbs() {
		if !strings.Contains(text, "`"+strings.TrimSpace(v.Name+" "+v.Args)+"`") {
			t.Errorf("docs/simulator.md does not have %s %s", v.Name, v.Args)
		}
	}
	example := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(text)
	if example == nil {
		t.Fatal("docs/simulator.md has no example")
	}
	w := play(t, load(t, example[1])).byHand()
	if next, ok := w.r.Next(); !ok || next.Seconds() != 30 {
		t.Errorf("its first step is at %v", next)
	}
}
