package ibsim

import "errors"

// Why a simulator refused a client, beside what the operating system says.
var (
	// ErrNoSlot: as many clients are attached as the simulator serves; ibsim
	// itself serves ten.
	ErrNoSlot = errors.New("all client slots are taken")

	// ErrNoNode: the fabric has no node with the id or description in Options.Host.
	ErrNoNode = errors.New("no such node")

	// ErrRefused: one of the two, and a second attempt did not show which.
	ErrRefused = errors.New("no free client slot, or no such node")

	// ErrSecondSM: another client is the subnet manager of that node.
	ErrSecondSM = errors.New("the node has a subnet manager already")

	// ErrProtocol: the answer is not what an ibsim of this architecture sends.
	ErrProtocol = errors.New("not the protocol of ibsim on this architecture")
)

// An Error says what failed at which simulator. Err is one of this package's
// errors, a syscall.Errno (ECONNREFUSED: no simulator, or it has ended),
// os.ErrClosed after Close, or the context's error.
type Error struct {
	Op   string // "connect", "send", "receive"; of a Server "listen", "serve"
	Addr string // base of the socket names, or HOST:PORT
	Err  error

	hint string // what to do, or ""
}

func (e *Error) Error() string {
	s := "ibsim: " + e.Op + " " + e.Addr + ": " + e.Err.Error()
	if e.hint != "" {
		s += ": " + e.hint
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
