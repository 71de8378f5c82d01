package fuse

import (
	"context"
	"syscall"
)

// handle is an open file.
type handle struct {
	node    *Node
	text    string // of a text file, what its first read gave
	device  Handle // of a device file
	rest    []byte // of a device file, what the next part of a large read gets
	restAt  uint64 // where that part begins
	pollKey uint64 // names the waiting poller to the kernel
	isArmed bool   // a poller waits
}

func (h *handle) close() {
	if h.device != nil {
		h.device.Close()
	}
}

// fileRequest answers what concerns the content of files; false for other
// requests.
func (s *Server) fileRequest(r *request, n *Node) bool {
	switch r.opcode {
	case opOpen:
		s.open(r, n)
		return true
	case opFlush:
		s.reply(r.unique, nil, 0)
		return true
	case opRead, opWrite, opIoctl, opPoll, opRelease:
	default:
		return false
	}
	h := s.find(r.u64(0))
	if h == nil {
		s.reply(r.unique, nil, syscall.EBADF)
		return true
	}
	switch r.opcode {
	case opRead:
		s.read(r, h)
	case opWrite:
		s.write(r, h)
	case opIoctl:
		s.ioctl(r, h)
	case opPoll:
		s.poll(r, h)
	case opRelease:
		s.release(r, h)
	}
	return true
}

func (s *Server) find(number uint64) *handle {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.handles[number]
}

// open opens a file. A device that has to wait is opened by a goroutine.
func (s *Server) open(r *request, n *Node) {
	h := &handle{node: n}
	if n.device == nil {
		if n.text == nil { // the kernel opens neither directories nor links in this way
			s.reply(r.unique, nil, syscall.EISDIR)
			return
		}
		s.reply(r.unique, s.add(h, openText), 0)
		return
	}
	open := func(ctx context.Context, wait bool) ([]byte, syscall.Errno) {
		d, errno := n.device.Open(ctx, wait, func() { s.wake(h) })
		if errno != 0 {
			return nil, errno
		}
		h.device = d
		return s.add(h, openDevice), 0
	}
	s.answer(r.unique, isNonblocking(r.u32(0)), open)
}

// add keeps an open file and gives the answer to its opener.
func (s *Server) add(h *handle, flags uint32) []byte {
	s.mu.Lock()
	s.last++
	number := s.last
	s.handles[number] = h
	s.mu.Unlock()
	b := make([]byte, 16)
	host.PutUint64(b, number)
	host.PutUint32(b[8:], flags)
	return b
}

func (s *Server) read(r *request, h *handle) {
	offset, size, flags := r.u64(8), int(r.u32(16)), r.u32(32)
	if h.device == nil {
		s.readText(r, h, offset, size)
		return
	}
	if rest := h.rest; len(rest) > 0 && offset == h.restAt {
		n := min(size, len(rest))
		h.rest, h.restAt = rest[n:], offset+uint64(n)
		s.reply(r.unique, rest[:n], 0)
		return
	}
	c := caller{r.thread}
	s.answer(r.unique, isNonblocking(flags), func(ctx context.Context, wait bool) ([]byte, syscall.Errno) {
		data, errno := h.device.Read(ctx, c.count(size), wait)
		if errno != 0 {
			if len(data) > 0 {
				c.put(data[:min(size, len(data))])
			}
			return nil, errno
		}
		if len(data) > size { // the kernel asks for the next part when it has this one
			h.rest, h.restAt = data[size:], offset+uint64(size)
			data = data[:size]
		}
		return data, 0
	})
}

// readText makes the text anew at offset 0, as sysfs does.
func (s *Server) readText(r *request, h *handle, offset uint64, size int) {
	if offset == 0 {
		text, errno := h.node.text()
		if errno != 0 {
			s.reply(r.unique, nil, errno)
			return
		}
		h.text = text
	}
	rest := h.text[min(offset, uint64(len(h.text))):]
	s.reply(r.unique, []byte(rest[:min(size, len(rest))]), 0)
}

func (s *Server) write(r *request, h *handle) {
	if h.device == nil {
		s.reply(r.unique, nil, syscall.EACCES)
		return
	}
	size := r.u32(16)
	data := r.data(40, size)
	if len(data) != int(size) {
		s.reply(r.unique, nil, syscall.EIO)
		return
	}
	errno := h.device.Write(data)
	b := make([]byte, 8)
	host.PutUint32(b, size)
	s.reply(r.unique, b, errno)
}

// ioctl gives an errno within the answer, so that data can go beside it.
func (s *Server) ioctl(r *request, h *handle) {
	var out []byte
	errno := syscall.ENOTTY
	if h.device != nil {
		out, errno = h.device.Ioctl(r.u32(12), r.data(32, r.u32(24)))
	}
	b := make([]byte, 16, 64)
	host.PutUint32(b, uint32(-int32(errno)))
	s.reply(r.unique, append(b, out[:min(len(out), int(r.u32(28)))]...), 0)
}

func (s *Server) release(r *request, h *handle) {
	s.mu.Lock()
	delete(s.handles, r.u64(0))
	h.isArmed = false
	s.mu.Unlock()
	h.close()
	s.reply(r.unique, nil, 0)
}

func isNonblocking(flags uint32) bool { return flags&syscall.O_NONBLOCK != 0 }
