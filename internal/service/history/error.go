package history

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"modernc.org/sqlite"
)

// What Error.Err may be, besides errors of the file system (os.ErrPermission also for what
// SQLite may not open, syscall.ENOSPC for a full disk) and of contexts.
var (
	ErrCorrupt = errors.New("the database is damaged")
	ErrNewer   = errors.New("a newer version of ibscope has written the database")
	ErrForeign = errors.New("not a database of ibscope")
	ErrInUse   = errors.New("another process writes the database")
	ErrNothing = error(nothing{}) // os.ErrNotExist too
)

// nothing is ErrNothing.
type nothing struct{}

func (nothing) Error() string        { return "nothing is stored" }
func (nothing) Is(target error) bool { return target == os.ErrNotExist }

// Error says what could not be done with a database.
type Error struct {
	Op   string // "open", "write", "read"
	Path string
	What string // "" or what it was about: "a fabric named rail9"
	Err  error
}

func (e *Error) Error() string {
	text := "history: " + e.Op + " " + e.Path + ": "
	if e.What != "" {
		text += e.What + ": "
	}
	return text + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// The primary result codes of SQLite that programs tell apart
// (https://www.sqlite.org/rescode.html).
const (
	codeBusy     = 5
	codeReadOnly = 8
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26
)

// Extended result codes that a reader gets where a writer would bring the file into
// order first.
const (
	codeReadOnlyRecovery = 264
	codeReadOnlyRollback = 776
	codeReadOnlyCantInit = 1288
	codeReadOnlyDir      = 1544
)

// wantsFiles reports whether a reader may not make the files that SQLite wants beside the
// database, as where nobody writes it and the directory is another's.
func wantsFiles(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code() == codeReadOnlyDir || e.Code() == codeReadOnlyCantInit || e.Code()&0xff == codeCantOpen)
}

// wantsRecovery reports whether the file was left in the middle of a transaction, and
// can be read when somebody who may write has opened it.
func wantsRecovery(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code()
	return code == codeReadOnlyRecovery || code == codeReadOnlyRollback || code == codeReadOnlyCantInit
}

// cause gives errors of SQLite a name that errors.Is finds.
func cause(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case codeCorrupt, codeNotADB:
		return &named{ErrCorrupt, err}
	case codeFull:
		return &named{syscall.ENOSPC, err}
	case codeBusy:
		return &named{ErrInUse, err}
	case codeReadOnly, codeCantOpen:
		return &named{os.ErrPermission, err}
	}
	return err
}

// named is an error of SQLite, and what it means.
type named struct{ name, err error }

func (e *named) Error() string   { return e.name.Error() + " (" + e.err.Error() + ")" }
func (e *named) Unwrap() []error { return []error{e.name, e.err} }

func (db *DB) errorf(op string, err error, format string, args ...any) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &Error{Op: op, Path: db.path, What: fmt.Sprintf(format, args...), Err: cause(err)}
}
