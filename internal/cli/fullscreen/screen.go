// Package fullscreen is a terminal as a screen of lines and a keyboard. It knows no
// command. It stands in place of a library because whatever a program links is
// initialised in each of its tools, and the libraries for terminals take long for that.
package fullscreen

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"golang.org/x/term"
)

// What turns a terminal into a screen, and back: the other buffer, no cursor, and lines
// that are cut at the margin.
const (
	enter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[H\x1b[2J"
	leave = "\x1b[?7h\x1b[?25h\x1b[?1049l"

	beginUpdate = "\x1b[?2026h" // what comes up to the end is shown at once
	endUpdate   = "\x1b[?2026l"
)

// escapeWait is how long a lone escape may be the begin of a sequence.
const escapeWait = 50 * time.Millisecond

// Screen is a terminal in use. It belongs to one goroutine.
type Screen struct {
	tty   *os.File // opened anew, so that reading can be ended
	out   io.Writer
	saved *term.State
	shown []string // the lines on the screen

	keys    chan string // characters, or words such as "up", "pgdown", "enter", "esc", "ctrl-c"
	resized chan os.Signal
	done    chan struct{}
	reading chan struct{} // closed when the reader has ended
}

// Open takes over the terminal that the process runs in, and writes to out. Close gives
// it back, which the caller must see to whatever happens.
func Open(out io.Writer) (*Screen, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR|nonBlocking, 0)
	if err != nil {
		return nil, fmt.Errorf("the terminal: %w", err)
	}
	saved, err := term.MakeRaw(descriptor(tty))
	if err != nil {
		_ = tty.Close()
		return nil, fmt.Errorf("the terminal: %w", err)
	}
	s := &Screen{
		tty: tty, out: out, saved: saved, keys: make(chan string), resized: make(chan os.Signal, 1),
		done: make(chan struct{}), reading: make(chan struct{}),
	}
	notifyResize(s.resized)
	go s.read()
	_, err = io.WriteString(out, enter)
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("the terminal: %w", err)
	}
	return s, nil
}

// Close makes the terminal what it was.
func (s *Screen) Close() {
	close(s.done)
	signal.Stop(s.resized)
	_ = s.tty.SetReadDeadline(time.Now()) // where it cannot be set, the reader ends with the process
	select {
	case <-s.reading:
	case <-time.After(2 * escapeWait):
	}
	_, _ = io.WriteString(s.out, leave)
	_ = term.Restore(descriptor(s.tty), s.saved)
	_ = s.tty.Close()
}

// descriptor is that of a file, which stays as it is: File.Fd would have reads block.
func descriptor(f *os.File) int {
	fd := -1
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(p uintptr) { fd = int(p) })
	}
	return fd
}

// Size is the number of columns and lines.
func (s *Screen) Size() (width, height int) {
	width, height, err := term.GetSize(descriptor(s.tty))
	if err != nil || width < 1 || height < 1 {
		return 80, 24
	}
	return width, height
}

// Forget has the next Draw write all lines: the size has changed.
func (s *Screen) Forget() { s.shown = nil }

// Draw shows lines, which are not wider than the screen. Only those that have changed
// are written.
func (s *Screen) Draw(lines []string) error {
	var b bytes.Buffer
	if s.shown == nil {
		b.WriteString("\x1b[H\x1b[2J")
	}
	for i, line := range lines {
		if i < len(s.shown) && s.shown[i] == line {
			continue
		}
		fmt.Fprintf(&b, "\x1b[%d;1H%s\x1b[0m\x1b[K", i+1, line)
	}
	for i := len(lines); i < len(s.shown); i++ {
		fmt.Fprintf(&b, "\x1b[%d;1H\x1b[K", i+1)
	}
	s.shown = append(s.shown[:0:0], lines...)
	if b.Len() == 0 {
		return nil
	}
	_, err := io.WriteString(s.out, beginUpdate+b.String()+endUpdate)
	return err
}

// read passes keys on until the screen is closed or the terminal is gone.
func (s *Screen) read() {
	defer close(s.reading)
	defer close(s.keys)
	var waiting []byte
	chunk := make([]byte, 256)
	for {
		deadline := time.Time{}
		if len(waiting) > 0 {
			deadline = time.Now().Add(escapeWait)
		}
		select {
		case <-s.done:
			return
		default:
			_ = s.tty.SetReadDeadline(deadline)
		}
		n, err := s.tty.Read(chunk)
		if err != nil && !os.IsTimeout(err) {
			return
		}
		waiting = append(waiting, chunk[:n]...)
		if waiting = s.pass(waiting, err != nil); waiting == nil {
			return
		}
	}
}

// pass passes on what there is of keys, and gives the rest; nil when the screen is
// closed. Late says that nothing came after it: then a lone escape is a key.
func (s *Screen) pass(b []byte, late bool) []byte {
	for {
		key, rest, ok := decode(b)
		if !ok && late && len(b) > 0 {
			key, rest, ok = "", nil, true
			if b[0] == 0x1b && len(b) == 1 {
				key = "esc"
			}
		}
		if !ok {
			return append([]byte{}, rest...)
		}
		if b = rest; key == "" {
			continue
		}
		select {
		case s.keys <- key:
		case <-s.done:
			return nil
		}
	}
}

// Loop draws what the functions tell until a key or the context ends it: key is told
// each key and reports whether to go on, resize each size, news each value of a channel
// that the caller fills, tick the time in between.
type Loop struct {
	Key    func(key string) bool
	Resize func(width, height int)
	Lines  func() []string
	News   <-chan func()
	Tick   func(time.Time)
	Every  time.Duration
}

// Run runs a loop on a screen.
func (s *Screen) Run(ctx context.Context, l *Loop) error {
	ticker := time.NewTicker(l.Every)
	defer ticker.Stop()
	l.Resize(s.Size())
	for {
		if err := s.Draw(l.Lines()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case key, ok := <-s.keys:
			if !ok {
				return fmt.Errorf("the terminal is gone")
			}
			if !l.Key(key) {
				return nil
			}
		case <-s.resized:
			s.Forget()
			l.Resize(s.Size())
		case do := <-l.News:
			do()
		case now := <-ticker.C:
			l.Tick(now)
		}
	}
}
