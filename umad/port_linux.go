package umad

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/mad"
)

// Port is an open umad device. Send and Recv may be called at once; Close ends
// a Recv that waits, with os.ErrClosed. After the device has been removed they
// give unix.EIO.
type Port struct {
	file   *os.File
	name   string // of the device file
	device string // of the CA, "" when opened by file
	num    int
	header int // size of struct ib_user_mad in use

	mu     sync.Mutex
	agents map[mad.Class]*Agent // clients that Send registered

	sending   sync.Mutex
	out       [headerSize + mad.Size]byte
	receiving sync.Mutex
	in        [headerSize + mad.Size]byte
}

// OpenFile opens a umad device file, as /dev/infiniband/umad0, of a kernel with
// that ABI version (5; see Host.ABIVersion). The error wraps the cause of open(2).
func OpenFile(name string, abi int) (*Port, error) {
	file, err := os.OpenFile(name, os.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &Error{Op: "open", Device: name, Err: withClass(unix.EIO, errors.Unwrap(err)), Hint: openHint(err)}
	}
	p := &Port{file: file, name: name, header: headerSize, agents: map[mad.Class]*Agent{}}
	// Since ABI 6 the header always holds a P_Key index; with ABI 5 it must be
	// asked for before anything else.
	if abi <= abiVersion {
		if err := p.ioctl(ioctlEnablePKey, nil); err != nil {
			p.header = oldHeader
		}
	}
	return p, nil
}

// ioctl passes a pointer to a kernel structure, or nil.
func (p *Port) ioctl(request uintptr, arg unsafe.Pointer) error {
	raw, err := p.file.SyscallConn()
	if err != nil {
		return err
	}
	var errno unix.Errno
	if err := raw.Control(func(fd uintptr) {
		_, _, errno = unix.Syscall(unix.SYS_IOCTL, fd, request, uintptr(arg))
	}); err != nil {
		return os.ErrClosed // the only reason that Control has
	}
	if errno != 0 {
		return errno
	}
	return nil
}

// Register registers an agent. Errors wrap unix.EPROTONOSUPPORT for subnet
// management on a port that has no QP0 (RoCE, or the GSI half of a planarised
// HCA), unix.EINVAL for a class or method that is taken or does not exist,
// unix.ENOMEM beyond 32 agents, unix.EIO when the device has been removed.
func (p *Port) Register(req AgentRequest) (*Agent, error) {
	reg := req.registration()
	err := p.ioctl(ioctlRegisterAgent2, unsafe.Pointer(&reg))
	id := reg.id
	if (errors.Is(err, unix.ENOTTY) || errors.Is(err, unix.EINVAL)) && !req.UserRMPP {
		fresh := req.registration()
		old := fresh.old()
		err = p.ioctl(ioctlRegisterAgent, unsafe.Pointer(&old))
		id = old.id
	}
	if err != nil {
		return nil, p.fail("register "+req.Class.String()+" agent", err, registerHint(err))
	}
	return &Agent{port: p, id: id, req: req}, nil
}

func registerHint(err error) string {
	if errors.Is(err, unix.EPROTONOSUPPORT) {
		return "this port has no subnet management interface"
	}
	return ""
}

// Close ends the registration. The error wraps unix.EINVAL when it has ended
// before: by Close, or because the device has been removed.
func (a *Agent) Close() error {
	if err := a.port.ioctl(ioctlUnregisterAgent, unsafe.Pointer(&a.id)); err != nil {
		return a.port.fail("unregister agent", err, "")
	}
	return nil
}

// client is the agent that Send uses for a class; it is registered when first needed.
func (p *Port) client(class mad.Class) (*Agent, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a, ok := p.agents[class]; ok {
		return a, nil
	}
	req := AgentRequest{Class: class}
	if class.IsVendor2() {
		req.OUI = clientOUI
	}
	a, err := p.Register(req)
	if err == nil {
		p.agents[class] = a
	}
	return a, err
}

// Send sends a MAD by the client agent of its class, registered on first use. It
// implements madrpc.Transport: the kernel waits for the reply for the timeout and
// then returns the request to Recv; with a timeout of 0 no reply is awaited. The
// kernel tells requests apart by the lower 32 bits of their transaction IDs.
//
// Errors wrap unix.EINVAL for a request whose transaction ID is still waited for,
// or an address without a GRH on RoCE; unix.ETIMEDOUT, after a second, when RoCE
// finds nobody at a GID; unix.EIO when the device has been removed.
func (p *Port) Send(m *mad.Packet, to mad.Addr, timeout time.Duration) error {
	a, err := p.client(m.Class())
	if err != nil {
		return err
	}
	return a.Send(m, to, timeout, 0)
}

// Send sends a MAD; the kernel repeats a request up to that many times when no
// reply comes within the timeout.
func (a *Agent) Send(m *mad.Packet, to mad.Addr, timeout time.Duration, retries int) error {
	p := a.port
	if to.QP == 0 && !a.req.Class.IsSMP() {
		to.QP = mad.QPGeneral
	}
	if to.QP == mad.QPGeneral && to.QKey == 0 {
		to.QKey = mad.WellKnownQK
	}
	h := header{agent: a.id, timeout: milliseconds(timeout), retries: uint32(max(retries, 0)), addr: to}
	p.sending.Lock()
	defer p.sending.Unlock()
	h.put(p.out[:], p.header)
	copy(p.out[p.header:], m[:])
	return p.write(p.out[:p.header+mad.Size])
}

// SendLong sends a message longer than a MAD, on an agent with RMPP: header and
// data of the MAD, and more data behind it.
func (a *Agent) SendLong(message []byte, to mad.Addr, timeout time.Duration, retries int) error {
	p := a.port
	h := header{agent: a.id, timeout: milliseconds(timeout), retries: uint32(max(retries, 0)), addr: to}
	b := make([]byte, p.header+len(message))
	h.put(b, p.header)
	copy(b[p.header:], message)
	p.sending.Lock()
	defer p.sending.Unlock()
	return p.write(b)
}

func (p *Port) write(b []byte) error {
	n, err := p.file.Write(b)
	switch {
	case err != nil:
		return p.fail("send", err, "")
	case n != len(b):
		return p.fail("send", unix.EIO, fmt.Sprintf("the kernel took %d of %d bytes", n, len(b)))
	}
	return nil
}

// milliseconds rounds up, so that a short timeout does not become "no reply".
func milliseconds(d time.Duration) uint32 {
	if d <= 0 {
		return 0
	}
	return uint32(min((d+time.Millisecond-1)/time.Millisecond, 1<<31-1))
}

// Recv receives a MAD for any agent of the port. It implements madrpc.Transport:
// a request that got no reply comes back with a *mad.SendError that wraps the
// errno, ETIMEDOUT for most. Of a message longer than a MAD it gives the first
// 256 bytes; RecvLong gives all.
func (p *Port) Recv(m *mad.Packet) (mad.Addr, error) {
	p.receiving.Lock()
	defer p.receiving.Unlock()
	n, err := p.read(p.in[:p.header+mad.Size])
	if errors.Is(err, unix.ENOSPC) {
		long, err := p.readLong(p.in[:])
		if err != nil {
			return mad.Addr{}, err
		}
		n = copy(p.in[:], long)
	} else if err != nil {
		return mad.Addr{}, p.fail("receive", err, "")
	}
	return p.received(m, n)
}

// read reads one message. Once a device has been removed, the runtime sees
// POLLERR and does not read any more; what the kernel says then is better.
func (p *Port) read(b []byte) (int, error) {
	n, err := p.file.Read(b)
	var errno unix.Errno
	if err == nil || errors.As(err, &errno) || errors.Is(err, os.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	raw, rawErr := p.file.SyscallConn()
	if rawErr != nil {
		return 0, err
	}
	if raw.Control(func(fd uintptr) { n, rawErr = unix.Read(int(fd), b) }) != nil {
		return 0, os.ErrClosed
	}
	return max(n, 0), rawErr
}

// received takes apart what was read into p.in.
func (p *Port) received(m *mad.Packet, n int) (mad.Addr, error) {
	if n < p.header {
		return mad.Addr{}, p.fail("receive", fmt.Errorf("%d bytes are less than a header: %w", n, unix.EBADMSG), "")
	}
	var h header
	h.get(p.in[:], p.header)
	*m = mad.Packet{}
	copy(m[:], p.in[p.header:min(n, p.header+mad.Size)])
	if h.status != 0 {
		return h.addr, &mad.SendError{Err: unix.Errno(h.status)}
	}
	return h.addr, nil
}

// maxMessage bounds the size that the kernel may claim for a message.
const maxMessage = 64 << 20

// readLong reads a message of which the kernel has said, in the header that it
// left in b, that it does not fit.
func (p *Port) readLong(b []byte) ([]byte, error) {
	var h header
	h.get(b, p.header)
	if h.length <= uint32(p.header) || h.length > maxMessage {
		return nil, p.fail("receive", fmt.Errorf("message of %d bytes: %w", h.length, unix.EMSGSIZE), "")
	}
	long := make([]byte, h.length)
	n, err := p.read(long)
	if err != nil {
		return nil, p.fail("receive", err, "")
	}
	return long[:n], nil
}

// A Message is what RecvLong receives.
type Message struct {
	Agent int // the number of the agent that it is for
	Addr  mad.Addr
	Data  []byte // the MAD, and more data behind it when it came by RMPP
}

// RecvLong receives a MAD or a message of any length. Its errors are those of
// Recv; beside a *mad.SendError, Data is the beginning of the request (24 bytes).
func (p *Port) RecvLong() (Message, error) {
	p.receiving.Lock()
	defer p.receiving.Unlock()
	b := make([]byte, p.header+mad.Size)
	n, err := p.read(b)
	switch {
	case errors.Is(err, unix.ENOSPC):
		if b, err = p.readLong(b); err != nil {
			return Message{}, err
		}
		n = len(b)
	case err != nil:
		return Message{}, p.fail("receive", err, "")
	}
	if n < p.header {
		return Message{}, p.fail("receive", fmt.Errorf("%d bytes are less than a header: %w", n, unix.EBADMSG), "")
	}
	var h header
	h.get(b, p.header)
	m := Message{Agent: int(h.agent), Addr: h.addr, Data: b[p.header:n]}
	if h.status != 0 {
		return m, &mad.SendError{Err: unix.Errno(h.status)}
	}
	return m, nil
}

// SetRecvDeadline ends a Recv that waits at that time, with
// os.ErrDeadlineExceeded; the zero time means never. A port that is closed gives
// os.ErrClosed.
func (p *Port) SetRecvDeadline(t time.Time) error {
	err := p.file.SetReadDeadline(t)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, os.ErrNoDeadline): // package os does not say it in its own words
		err = os.ErrClosed
	}
	return p.fail("set deadline", err, "")
}

// HasPKeyIndex reports whether the kernel takes a P_Key index with each MAD.
func (p *Port) HasPKeyIndex() bool { return p.header == headerSize }

// Device is the CA's name, "" for a port opened by OpenFile.
func (p *Port) Device() string { return p.device }

// Num is the port number, 0 for a port opened by OpenFile.
func (p *Port) Num() int { return p.num }

// Close closes the device and ends all of its agents.
func (p *Port) Close() error { return p.file.Close() }

// fail makes an Error of the port. The cause of an *os.PathError is taken out of
// it: the message names the device already.
func (p *Port) fail(op string, err error, hint string) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if errors.Is(err, unix.EPIPE) { // what ioctl(2) says where read(2) says EIO
		err = withClass(unix.EIO, unix.EPIPE)
	}
	if hint == "" && errors.Is(err, unix.EIO) {
		hint = "the device may have been removed"
	}
	name := p.device
	if name == "" {
		name = p.name
	}
	return &Error{Op: op, Device: name, Port: p.num, Err: err, Hint: hint}
}
