package uverbs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// What errors.Is finds beside unix.Errno, os.ErrNotExist, os.ErrPermission,
// errors.ErrUnsupported and the errors of a context.
var (
	// ErrABI: the driver in the kernel speaks another version than the table knows.
	ErrABI = errors.New("driver ABI is not known")
	// ErrReply: the kernel's answer cannot be right.
	ErrReply = errors.New("answer out of bounds")
)

// Error says which query failed on which device.
type Error struct {
	Op     string // "open", "identify", "context", "query device", "query port", "query GID", "close"
	Device string // "mlx5_0"
	Path   string // of the file, "" when it does not concern one
	Port   int    // 0 when it does not concern a port
	Index  int    // of a table entry, -1 when it does not concern one
	Err    error
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "uverbs: %s %s", e.Op, printable(e.Device))
	if e.Port > 0 {
		fmt.Fprintf(&b, " port %d", e.Port)
	}
	if e.Index >= 0 {
		fmt.Fprintf(&b, " index %d", e.Index)
	}
	if e.Path != "" {
		fmt.Fprintf(&b, " (%s)", printable(e.Path))
	}
	return b.String() + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// printable quotes a name that would not print as it is.
func printable(s string) string {
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}
