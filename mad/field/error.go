package field

import (
	"fmt"
	"io"
)

// An Error says why an attribute could not be decoded.
type Error struct {
	Op   string // "decode"
	Attr string // name of the attribute
	Need int    // bytes that it takes
	Got  int    // bytes that were there
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %d bytes of data, but the attribute has %d", e.Op, e.Attr, e.Got, e.Need)
}

// Unwrap gives io.ErrUnexpectedEOF.
func (e *Error) Unwrap() error { return io.ErrUnexpectedEOF }

// TooShort is the error for data of got bytes where attr takes need.
func TooShort(attr string, need, got int) error {
	return &Error{Op: "decode", Attr: attr, Need: need, Got: got}
}
