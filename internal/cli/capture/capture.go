// Package capture is how commands write the MADs that they send and receive into a
// file: --pcap.
package capture

import (
	"os"
	"sync"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/pcap"
)

// Help is the help text of the flag.
const Help = "write each MAD sent and received into `FILE`, for Wireshark and ibscope pcap"

// Capture is a capture file of a command. It is made when the first transport is
// tapped, and complete when the last one is closed; after that, it goes on in a
// section of its own. The zero Capture, and nil, capture nothing.
type Capture struct {
	File string

	mu     sync.Mutex
	env    *env.Env
	open   int // taps
	file   *os.File
	writer *pcap.Writer
	begun  bool // this process has written to the file
	failed bool // somebody was told
}

// FlagSet is what takes the flag: a *pflag.FlagSet. Package pflag is not imported, for
// drop-in tools have no use for it.
type FlagSet interface {
	StringVar(p *string, name, value, usage string)
}

// Register adds the flag to a command.
func (c *Capture) Register(fs FlagSet) { fs.StringVar(&c.File, "pcap", "", Help) }

// Tap gives a function that puts a tap on an open fabric, for core.World, or nil
// if nothing is to be captured. A file that cannot be written is told on stderr,
// once, and does not disturb the command.
func (c *Capture) Tap(e *env.Env) func(uri string, t madrpc.Transport) madrpc.Transport {
	if c == nil || c.File == "" {
		return nil
	}
	c.env = e
	return c.tap
}

func (c *Capture) tap(uri string, t madrpc.Transport) madrpc.Transport {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil && !c.create() {
		return t
	}
	c.open++
	return &tapped{Tap: pcap.NewTap(t, c.writer, uri, c.env.Now), capture: c}
}

// create opens the file: a new one, readable by its owner only because there are
// keys in MADs, or the one that this process has begun.
func (c *Capture) create() bool {
	if c.failed {
		return false
	}
	if c.File == "-" {
		c.failed = true
		c.env.Complain("--pcap -: standard output is for the result; name a file or a pipe; nothing is captured")
		return false
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if c.begun {
		flags = os.O_WRONLY | os.O_APPEND
	}
	file, err := os.OpenFile(c.File, flags, 0o600)
	if err != nil {
		c.failed = true
		c.env.Complain("--pcap: %v; nothing is captured", err)
		return false
	}
	c.file, c.begun = file, true
	c.writer = pcap.NewWriter(file, "ibscope "+c.env.Version)
	return true
}

// release ends the file when the last tap is closed.
func (c *Capture) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open--; c.open > 0 {
		return
	}
	err := c.writer.Flush()
	if closed := c.file.Close(); err == nil {
		err = closed
	}
	c.file, c.writer = nil, nil
	if err != nil && !c.failed {
		c.failed = true
		c.env.Complain("--pcap: %v; the capture is not complete", err)
	}
}

// tapped is a tap that knows the file it writes to.
type tapped struct {
	*pcap.Tap
	capture *Capture
	once    sync.Once
}

// Close closes the transport, and the file if it is the last.
func (t *tapped) Close() error {
	err := t.Tap.Close()
	t.once.Do(t.capture.release)
	return err
}
