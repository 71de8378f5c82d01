package format

import (
	"errors"
	"strings"
)

// What Error.Err may be, besides errors of the stream.
var (
	ErrUnknown  = errors.New("not a stored fabric")
	ErrTooLarge = errors.New("too large when unpacked")
	ErrNoGraph  = errors.New("no nodes and links in it; name a file that has them too")
	ErrTooMany  = errors.New("more than 4096 files")
)

// errEmpty is ErrUnknown of which there is nothing more to say.
var errEmpty error = emptyFile{}

type emptyFile struct{}

func (emptyFile) Error() string        { return "the file is empty" }
func (emptyFile) Is(target error) bool { return target == ErrUnknown }

// Error says why a stored fabric could not be read.
type Error struct {
	Op   string // "open", "unpack", "read", "recognise" or "write"
	File string
	Kind Kind // where that matters
	Err  error
}

func (e *Error) Error() string {
	text := "format: " + e.Op + " " + e.File + ": " + e.Err.Error()
	if e.Kind != "" {
		text = "format: " + e.Op + " " + e.File + " (" + string(e.Kind) + "): " + e.Err.Error()
	}
	if errors.Is(e.Err, ErrUnknown) && !errors.Is(e.Err, errEmpty) {
		names := make([]string, len(formats))
		for i, f := range formats {
			names[i] = f.name
		}
		text += "; expected one of these: " + strings.Join(names, "; ")
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
