package testenv

import (
	"encoding/json"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// NATS starts Debian's nats-server with further arguments at a port of its own choice on
// the loopback address, and gives host:port. It ends with the test.
func NATS(t testing.TB, args ...string) (address string) {
	t.Helper()
	dir := t.TempDir()
	args = append([]string{"-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", dir}, args...)
	c := exec.Command(Tool(t, "nats-server"), args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		address = NATSAddress(dir)
		if address == "" {
			continue
		}
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return address
		}
	}
	t.Fatal("nats-server does not listen")
	return ""
}

// NATSAddress is where a nats-server with --ports_file_dir says that it listens; "" as long
// as it does not.
func NATSAddress(dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.ports"))
	if err != nil || len(files) != 1 {
		return ""
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return ""
	}
	var at struct {
		NATS []string `json:"nats"`
	}
	if json.Unmarshal(text, &at) != nil || len(at.NATS) == 0 { // it may be half written
		return ""
	}
	u, err := url.Parse(at.NATS[0])
	if err != nil {
		return ""
	}
	return u.Host
}
