package nldev

// Error says which request failed. It wraps the kernel's errno: EPROTONOSUPPORT
// when there is no RDMA netlink, ENODEV or EINVAL for a device, port or device
// file that does not exist, EINVAL for what an old kernel does not know.
type Error struct {
	Op  string // "list devices", "get port 1 of device 0", …
	Err error
}

func (e *Error) Error() string { return "nldev: " + e.Op + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// failed makes an Error, and nil of nil.
func failed(op string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Op: op, Err: err}
}
