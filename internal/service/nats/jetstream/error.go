package jetstream

import (
	"errors"
	"fmt"
)

// Error says what could not be done. Unwrap gives the cause: one of this package, an
// *APIError, or one of package nats.
type Error struct {
	Op   string // "create stream", "publish", "get key" …
	What string // the stream, the subject, or bucket/key
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("jetstream: %s %s: %v", e.Op, e.What, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// What errors may be, by errors.Is.
var (
	ErrStreamNotFound  = errors.New("there is no such stream")
	ErrStreamExists    = errors.New("there is such a stream with other settings")
	ErrMessageNotFound = errors.New("there is no such message")
	ErrKeyNotFound     = errors.New("there is no such key")
	ErrKeyExists       = errors.New("the key exists")
	ErrWrongRevision   = errors.New("the key has another revision by now")
	ErrObjectNotFound  = errors.New("there is no such object")
	ErrNotEnabled      = errors.New("the server has no JetStream for this user")
	ErrBadAnswer       = errors.New("what the server answers is none of JetStream")
)

// APIError is what the server says of a request that it refuses. By errors.Is it is one
// of those above, where there is one.
type APIError struct {
	Code        int    `json:"code"` // as that of HTTP
	ErrCode     int    `json:"err_code"`
	Description string `json:"description"`
}

func (e *APIError) Error() string {
	return fmt.Sprintf("the server says %.300q (%d)", e.Description, e.ErrCode)
}

// Codes of the server.
const (
	codeMessageNotFound  = 10037
	codeNotEnabled       = 10076
	codeNotForAccount    = 10039
	codeStreamExists     = 10058
	codeStreamNotFound   = 10059
	codeWrongSequence    = 10071
	codeWrongSequenceAny = 10164
)

// Is reports whether a code stands for one of the errors of this package.
func (e *APIError) Is(target error) bool {
	switch e.ErrCode {
	case codeMessageNotFound:
		return target == ErrMessageNotFound
	case codeNotEnabled, codeNotForAccount:
		return target == ErrNotEnabled
	case codeStreamExists:
		return target == ErrStreamExists
	case codeStreamNotFound:
		return target == ErrStreamNotFound
	case codeWrongSequence, codeWrongSequenceAny:
		return target == ErrWrongRevision
	}
	return false
}
