package fuse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"
)

// Server serves one tree to the kernel.
type Server struct {
	conn     io.ReadWriteCloser
	nodes    []*Node // by inode number; the root has 1
	owner    Owner
	born     int64 // time of all files, seconds
	ctx      context.Context
	cancel   context.CancelFunc
	blocked  sync.WaitGroup // requests that wait in goroutines of their own
	mu       sync.Mutex
	handles  map[uint64]*handle
	last     uint64 // handle number given
	waiting  map[uint64]context.CancelFunc
	isClosed bool
}

// Owner is who owns all files, in the numbers of the user namespace that has
// mounted the tree.
type Owner struct {
	UID, GID uint32
}

// New makes a server of a tree on conn: an open /dev/fuse in non-blocking mode,
// so that Close ends a Serve that waits, or something that behaves like it. A
// Node belongs to one Server.
func New(conn io.ReadWriteCloser, root *Node, o Owner) *Server {
	s := &Server{
		conn: conn, nodes: []*Node{nil}, owner: o, born: time.Now().Unix(),
		handles: map[uint64]*handle{}, waiting: map[uint64]context.CancelFunc{},
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.number(root)
	return s
}

func (s *Server) number(n *Node) {
	n.inode = uint64(len(s.nodes))
	s.nodes = append(s.nodes, n)
	for _, c := range n.children {
		s.number(c)
	}
}

// Serve answers requests until the tree is unmounted or the server closed; then
// it is nil. All files are closed when it returns. Call it once.
func (s *Server) Serve() error {
	defer s.end()
	buf := make([]byte, maxWrite+4096)
	for {
		n, err := s.conn.Read(buf)
		switch {
		case err == nil:
		case errors.Is(err, syscall.EINTR), errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOENT):
			continue // a request that was interrupted before it was read
		case errors.Is(err, syscall.ENODEV), errors.Is(err, io.EOF), s.closed():
			return nil
		default:
			return &Error{Op: "read", Err: err}
		}
		r, ok := parseRequest(buf[:n])
		if !ok {
			return &Error{Op: "request", Err: fmt.Errorf("%d bytes that are no request: %w", n, syscall.EPROTO)}
		}
		s.handle(&r)
	}
}

// Close ends the connection, and with it Serve: clients get ENOTCONN from then
// on. It may be called again.
func (s *Server) Close() error {
	s.mu.Lock()
	again := s.isClosed
	s.isClosed = true
	s.mu.Unlock()
	if again {
		return nil
	}
	s.cancel()
	return s.conn.Close()
}

func (s *Server) closed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isClosed
}

// end gives back all that clients have left open.
func (s *Server) end() {
	s.Close()
	s.blocked.Wait()
	s.mu.Lock()
	handles := s.handles
	s.handles = map[uint64]*handle{}
	s.mu.Unlock()
	for _, h := range handles {
		h.close()
	}
}

// handle carries out one request.
func (s *Server) handle(r *request) {
	var n *Node
	if r.node > 0 && r.node < uint64(len(s.nodes)) {
		n = s.nodes[r.node]
	}
	switch r.opcode {
	case opForget, opBatchForget:
		return
	case opInit:
		s.reply(r.unique, initReply(r), 0)
		return
	case opInterrupt:
		s.interrupt(r.u64(0))
		return
	case opDestroy:
		s.reply(r.unique, nil, 0)
		return
	}
	if n == nil {
		s.reply(r.unique, nil, syscall.ESTALE)
		return
	}
	if !s.directoryRequest(r, n) && !s.fileRequest(r, n) {
		s.reply(r.unique, nil, syscall.ENOSYS) // then the kernel does without
	}
}

func initReply(r *request) []byte {
	b := make([]byte, 64)
	host.PutUint32(b, versionMajor)
	host.PutUint32(b[4:], versionMinor)
	host.PutUint32(b[8:], r.u32(8)) // read-ahead
	host.PutUint32(b[12:], initBigWrites|initMaxPages)
	host.PutUint32(b[20:], maxWrite)
	host.PutUint32(b[24:], 1) // ns, granularity of times
	host.PutUint16(b[28:], maxPages)
	return b
}

// reply answers a request. Its error is not looked at: the client has given up
// the request meanwhile, or the connection is gone, which Serve will notice.
func (s *Server) reply(unique uint64, data []byte, errno syscall.Errno) {
	if errno != 0 {
		data = nil
	}
	s.send(unique, -int32(errno), data)
}

func (s *Server) send(unique uint64, code int32, data []byte) {
	var space [outHeaderSize + 512]byte
	b := append(space[:outHeaderSize], data...)
	host.PutUint32(b, uint32(len(b)))
	host.PutUint32(b[4:], uint32(code))
	host.PutUint64(b[8:], unique)
	_, _ = s.conn.Write(b)
}
