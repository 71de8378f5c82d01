package fuse

import (
	"context"
	"io"
	"sync"
	"syscall"
	"testing"
	"time"
)

// kernel is the other end of a server's connection.
type kernel struct {
	t       *testing.T
	server  *Server
	toServe chan []byte
	replies chan []byte
	closed  chan struct{}
	once    sync.Once
	unique  uint64
	done    chan error
}

func newKernel(t *testing.T, root *Node) *kernel {
	t.Helper()
	k := &kernel{t: t, toServe: make(chan []byte, 16), replies: make(chan []byte, 64), closed: make(chan struct{}), done: make(chan error, 1)}
	k.server = New(k, root, Owner{UID: 7, GID: 8})
	go func() { k.done <- k.server.Serve() }()
	t.Cleanup(func() {
		if err := k.server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-k.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return k
}

func (k *kernel) Read(b []byte) (int, error) {
	select {
	case m := <-k.toServe:
		return copy(b, m), nil
	case <-k.closed:
		return 0, io.EOF
	}
}

func (k *kernel) Write(b []byte) (int, error) {
	k.replies <- append([]byte(nil), b...)
	return len(b), nil
}

func (k *kernel) Close() error {
	k.once.Do(func() { close(k.closed) })
	return nil
}

// post sends a request and gives its number.
func (k *kernel) post(op uint32, node uint64, body []byte) uint64 {
	k.unique += 2
	k.toServe <- message(op, k.unique, node, body)
	return k.unique
}

func message(op uint32, unique, node uint64, body []byte) []byte {
	b := make([]byte, inHeaderSize, inHeaderSize+len(body))
	host.PutUint32(b, uint32(inHeaderSize+len(body)))
	host.PutUint32(b[4:], op)
	host.PutUint64(b[8:], unique)
	host.PutUint64(b[16:], node)
	return append(b, body...)
}

// next is the next message from the server.
func (k *kernel) next() (unique uint64, code int32, body []byte) {
	k.t.Helper()
	select {
	case b := <-k.replies:
		if len(b) < outHeaderSize || int(host.Uint32(b)) != len(b) {
			k.t.Fatalf("the server sent % x", b)
		}
		return host.Uint64(b[8:]), int32(host.Uint32(b[4:])), b[outHeaderSize:]
	case <-time.After(10 * time.Second):
		k.t.Fatal("no reply")
	}
	return 0, 0, nil
}

// call sends a request and gives the reply to it.
func (k *kernel) call(op uint32, node uint64, body []byte) ([]byte, syscall.Errno) {
	k.t.Helper()
	want := k.post(op, node, body)
	unique, code, reply := k.next()
	if unique != want {
		k.t.Fatalf("reply to %d, expected to %d", unique, want)
	}
	return reply, syscall.Errno(-code)
}

// body puts numbers together: uint64 and uint32 in turn.
func body(numbers ...any) []byte {
	var b []byte
	for _, n := range numbers {
		switch n := n.(type) {
		case uint64:
			b = host.AppendUint64(b, n)
		case uint32:
			b = host.AppendUint32(b, n)
		}
	}
	return b
}

// pipe is a device that gives back what is written to it.
type pipe struct {
	mu     sync.Mutex
	wake   func()
	queue  [][]byte
	came   chan struct{}
	closed int
}

func newPipe() *pipe { return &pipe{came: make(chan struct{}, 100)} }

func (p *pipe) Open(_ context.Context, _ bool, wake func()) (Handle, syscall.Errno) {
	p.wake = wake
	return p, 0
}

func (p *pipe) Read(ctx context.Context, size int, wait bool) ([]byte, syscall.Errno) {
	for {
		p.mu.Lock()
		if len(p.queue) > 0 {
			b := p.queue[0]
			p.queue = p.queue[1:]
			p.mu.Unlock()
			return b[:min(size, len(b))], 0
		}
		p.mu.Unlock()
		if !wait {
			return nil, syscall.EAGAIN
		}
		select {
		case <-p.came:
		case <-ctx.Done():
			return nil, syscall.EINTR
		}
	}
}

func (p *pipe) Write(b []byte) syscall.Errno {
	p.mu.Lock()
	p.queue = append(p.queue, append([]byte(nil), b...))
	p.mu.Unlock()
	p.came <- struct{}{}
	p.wake()
	return 0
}

func (p *pipe) Ioctl(request uint32, in []byte) ([]byte, syscall.Errno) {
	return append([]byte{byte(request)}, in...), syscall.EINVAL
}

func (p *pipe) Poll() uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) > 0 {
		return 0x145
	}
	return 0x104
}

func (p *pipe) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed++
}
