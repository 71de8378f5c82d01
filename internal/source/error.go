package source

import (
	"os"

	"github.com/ibscope/ibscope/internal/source/core"
)

// ErrSyntax is the cause of an Error about a URI that is written wrong, or names
// something that does not exist in ibscope: no fabric was tried.
var ErrSyntax = core.ErrSyntax

// Error is a fabric URI that could not be understood or opened.
type Error = core.Error

// missing is a message that is os.ErrNotExist without speaking of files: a URI names what
// its fabric does not have, and never will.
type missing struct{ text string }

func (e *missing) Error() string        { return e.text }
func (e *missing) Is(target error) bool { return target == os.ErrNotExist || target == ErrSyntax }

// refused is the error of a generator that does not take its parameters, which is a
// mistake in the URI.
type refused struct{ error }

func (e *refused) Unwrap() error        { return e.error }
func (e *refused) Is(target error) bool { return target == ErrSyntax }
