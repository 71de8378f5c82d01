package config

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Error is a mistake in a configuration. It is an os.ErrInvalid.
type Error struct {
	Op   string // "read", "check"
	File string // "" for flags
	Line int    // from 1; 0 for the whole
	Col  int
	Err  error
}

// Error says it in one line, "FILE:LINE:COLUMN: …".
func (e *Error) Error() string {
	switch {
	case e.File == "":
		return e.Err.Error()
	case e.Line == 0:
		return e.File + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Col, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// several are mistakes that are told together, in one line.
type several []error

func (s several) Error() string {
	texts := make([]string, len(s))
	for i, err := range s {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap gives all of them.
func (s several) Unwrap() []error { return s }

// mistake is a message that is an os.ErrInvalid without saying so.
type mistake string

func (m mistake) Error() string { return string(m) }
func (mistake) Unwrap() error   { return os.ErrInvalid }

func mistakef(format string, args ...any) error { return mistake(fmt.Sprintf(format, args...)) }

// expected says what was found, and what should stand there.
func expected(found, what string) error {
	if found == "" {
		return mistakef("found nothing, expected %s", what)
	}
	const most = 80
	if len(found) > most {
		found = strings.ToValidUTF8(found[:most], "") + "…"
	}
	return mistakef("found %s, expected %s", strconv.Quote(found), what)
}

// cut is a list of names in a message, which may be long.
func cut(list string) string {
	const most = 800
	if len(list) > most {
		return list[:most] + "…"
	}
	return list
}
