package ibqueryerrors

import (
	"bytes"
	"testing"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// A file of thresholds that somebody named and that cannot be read is told; that
// of the distribution may be missing.
func TestThresholdFileThatIsNotThere(t *testing.T) {
	for path, want := range map[string]string{
		"/nonexistent/a": "x: --threshold-file: open /nonexistent/a: no such file or directory; the thresholds are 0\n",
		"/nonexistent/b": "x: --threshold-file: open /nonexistent/b: no such file or directory; the thresholds are 0\n",
		thresholdFile:    "",
	} {
		var stderr bytes.Buffer
		s := settings{env: &env.Env{Args: []string{"x"}, Stderr: &stderr}, thresholdPath: path}
		s.readThresholds()
		if stderr.String() != want {
			t.Errorf("%s: stderr %q, expected %q", path, stderr.String(), want)
		}
		if path != thresholdFile && s.thresholdText != "(null)" {
			t.Errorf("%s: %q is shown", path, s.thresholdText)
		}
	}
}
