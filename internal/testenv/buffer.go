package testenv

import (
	"bytes"
	"sync"
)

// maxOutput bounds what is kept of a program's standard error.
const maxOutput = 1 << 20

// A lockedBuffer is a writer that may be read while a program writes to it. It
// keeps the first maxOutput bytes and drops the rest.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if room := maxOutput - b.buf.Len(); room > 0 {
		b.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
