package testenv

import (
	"bytes"
	"sync"
)

// maxOutput bounds what a Buffer keeps.
const maxOutput = 1 << 20

// Buffer is a writer that may be read while a program writes to it. It keeps the
// first mebibyte and drops the rest. The zero value is empty.
type Buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if room := maxOutput - b.buf.Len(); room > 0 {
		b.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
