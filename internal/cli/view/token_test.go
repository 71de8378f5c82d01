package view_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/serve"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/internal/testenv"
)

// startService runs a service that wants a token, and gives its address.
func startService(t *testing.T, token string) (url string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte("bob "+token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, in := io.Pipe()
	c := serve.Command(&env.Env{
		Sources: source.Others, Args: []string{"ibscope"}, Stdout: io.Discard, Stderr: in, Now: time.Now, Version: "test",
		Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false },
	})
	c.SetArgs([]string{"--fabric", "sim:fattree?levels=2&radix=4&hosts=4", "--listen", "127.0.0.1:0", "--token-file", file})
	begin(t, c, in)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var said struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &said) == nil && said.Msg == "answering" {
			url = "http://" + said.Address + "/"
		}
		if said.Msg == "ready" {
			go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the service
			return url
		}
	}
	t.Fatal("the service does not begin")
	return ""
}

// TestToken: the page asks for a token where one is wanted, and keeps it to itself.
func TestToken(t *testing.T) {
	testenv.Need(t, "node", "npm", "chromium")
	const token = "correct-horse-battery-staple"
	script(t, "", "token.mjs", startService(t, token), token)
}
