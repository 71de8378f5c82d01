package mad

// SendError is how a transport reports that a request it had accepted was not
// answered: the packet received beside it is the request itself. Err is a
// unix.Errno, ETIMEDOUT for most.
type SendError struct {
	Err error
}

func (e *SendError) Error() string { return "request returned unanswered: " + e.Err.Error() }

// Unwrap gives the errno.
func (e *SendError) Unwrap() error { return e.Err }
