package umadev

import (
	"context"
	"sync"
	"syscall"

	"github.com/ibscope/ibscope/sim/fuse"
)

// A Manager is told whether its port has a subnet manager: a *sim.Port.
type Manager interface {
	SetIsSM(on bool)
}

// NewSM makes the issm device of a port.
func NewSM(port Manager) *SMDevice { return &SMDevice{port: port} }

// tell says whether somebody has the device open.
func (s *SMDevice) tell(on bool) {
	if s.port != nil {
		s.port.SetIsSM(on)
	}
}

// SMDevice is an issm device: who has it open is the subnet manager of the
// port, one client at a time. It is a fuse.Device. The zero SMDevice is ready.
type SMDevice struct {
	port     Manager // nil if nobody wants to know
	mu       sync.Mutex
	released chan struct{} // closed when the one who has it gives it back; nil when nobody has
}

// IsOpen reports whether somebody has it open: then the port says that it has a
// subnet manager.
func (s *SMDevice) IsOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.released != nil
}

// Open waits until nobody else has the device open.
func (s *SMDevice) Open(ctx context.Context, wait bool, _ func()) (fuse.Handle, syscall.Errno) {
	for {
		s.mu.Lock()
		released := s.released
		if released == nil {
			s.released = make(chan struct{})
			s.tell(true)
			s.mu.Unlock()
			return &smHandle{s}, 0
		}
		s.mu.Unlock()
		if !wait {
			return nil, syscall.EAGAIN
		}
		select {
		case <-released:
		case <-ctx.Done():
			return nil, syscall.EINTR
		}
	}
}

// smHandle can do nothing but be open.
type smHandle struct{ device *SMDevice }

func (h *smHandle) Read(context.Context, int, bool) ([]byte, syscall.Errno) {
	return nil, syscall.EINVAL
}

func (h *smHandle) Write([]byte) syscall.Errno { return syscall.EINVAL }

func (h *smHandle) Ioctl(uint32, []byte) ([]byte, syscall.Errno) { return nil, syscall.ENOTTY }

func (h *smHandle) Poll() uint32 { return pollWritable | pollReadable }

func (h *smHandle) Close() {
	s := h.device
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell(false)
	close(s.released)
	s.released = nil
}
