package doctest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/service/webhook"
	"github.com/ibscope/ibscope/internal/testenv"
)

// TestServeVerify runs the program in docs/serve.md that checks a signature.
func TestServeVerify(t *testing.T) {
	testenv.Need(t, "python3")
	m := regexp.MustCompile("(?s)```python\n(.*?)```").FindStringSubmatch(read(t, "docs/serve.md"))
	if m == nil {
		t.Fatal("there is no program")
	}
	dir := t.TempDir()
	program, key := filepath.Join(dir, "verify.py"), filepath.Join(dir, "key")
	for path, text := range map[string]string{program: m[1], key: " secret\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now, old := strconv.FormatInt(time.Now().Unix(), 10), "1700000000"
	body := []byte("{\"events\":[\"\xc3\xa9\"]}\n")
	for name, tt := range map[string]struct {
		timestamp, signature string
		body                 []byte
		ok                   bool
	}{
		"right":         {now, webhook.Sign([]byte("secret"), now, body), body, true},
		"another key":   {now, webhook.Sign([]byte("guessed"), now, body), body, false},
		"another body":  {now, webhook.Sign([]byte("secret"), now, body), body[1:], false},
		"another time":  {now, webhook.Sign([]byte("secret"), old, body), body, false},
		"an old one":    {old, webhook.Sign([]byte("secret"), old, body), body, false},
		"no signature":  {now, "", body, false},
		"only the hash": {now, webhook.Sign([]byte("secret"), now, body)[len("sha256="):], body, false},
	} {
		c := exec.CommandContext(t.Context(), "python3", program, key, tt.timestamp, tt.signature)
		c.Stdin = bytes.NewReader(tt.body)
		if out, err := c.CombinedOutput(); (err == nil) != tt.ok {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
}
