package diags

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"
)

// maxConfigLine bounds a line of the configuration file.
const maxConfigLine = 4096

// readConfig reads a configuration file like /etc/infiniband-diags/ibdiag.conf:
// "key=value" lines and comments. As in C, a missing file is no error and
// unknown keys are passed over; unlike there, a key without a value is too.
func (c *Common) readConfig(path string) {
	if path == "" {
		return
	}
	f, err := os.Open(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.env.Complain("configuration file not read: %v", err)
		}
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, maxConfigLine), maxConfigLine)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		if key, value, ok := strings.Cut(line, "="); ok {
			c.configure(key, strings.TrimRight(value, " \t\r"))
		}
	}
	if err := lines.Err(); err != nil {
		c.env.Complain("%s: read up to an error: %v", path, err)
	}
}

// configure takes one line of the configuration file. The keys are compared
// from their start only, as in C.
func (c *Common) configure(key, value string) {
	switch {
	case strings.HasPrefix(key, "CA"):
		c.CA = value
	case strings.HasPrefix(key, "Port"):
		c.Port = portNumber(value)
	case strings.HasPrefix(key, "timeout"):
		c.Timeout = time.Duration(min(leadingNumber(value), 1<<31)) * time.Millisecond
	case strings.HasPrefix(key, "MLX_EPI"):
		c.MLXExtendedPortInfo = strings.HasPrefix(value, "TRUE") || strings.HasPrefix(value, "true")
	case strings.HasPrefix(key, "m_key"):
		c.MKey = leadingNumber(value)
	case strings.HasPrefix(key, "sa_key"):
		c.SAKey = leadingNumber(value)
	}
}
