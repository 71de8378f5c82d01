package metrics

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

const contrib = "../../../contrib/prometheus/"

// TestRules lets promtool check the rules and run their tests.
func TestRules(t *testing.T) {
	t.Parallel()
	tool := testenv.Tool(t, "promtool")
	files, err := filepath.Glob(contrib + "*.rules.yml")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, args := range [][]string{append([]string{"check", "rules"}, files...), {"test", "rules", contrib + "ibscope_test.yml"}} {
		if out, err := exec.CommandContext(t.Context(), tool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}

// TestEveryAlert: each alert fires in a test, says where its runbook is, and has one.
func TestEveryAlert(t *testing.T) {
	rules := file(t, contrib+"ibscope-alert.rules.yml")
	tests := file(t, contrib+"ibscope_test.yml")
	runbook := file(t, "../../../docs/alerts.md")
	alerts := regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(rules, -1)
	if len(alerts) < 25 {
		t.Errorf("%d alerts", len(alerts))
	}
	for _, a := range alerts {
		if !strings.Contains(tests, `{alertname="`+a[1]+`"}`) {
			t.Errorf("%s fires in no test", a[1])
		}
		if !strings.Contains(runbook, "### "+a[1]+"\n") || !strings.Contains(rules, "runbook: docs/alerts.md#"+strings.ToLower(a[1])+"\n") {
			t.Errorf("%s has no runbook", a[1])
		}
	}
	for _, h := range regexp.MustCompile(`(?m)^### (\w+)$`).FindAllStringSubmatch(runbook, -1) {
		if !strings.Contains(rules, "alert: "+h[1]+"\n") {
			t.Errorf("the runbook has %s, which is no alert", h[1])
		}
	}
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
