package diags

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares a program of infiniband-diags. A declaration is data that the program
// begins with: what takes making is a function, or all other tools would wait for it.
type Tool struct {
	Name        string // "ibnetdiscover"
	Summary     string // one line, for lists and the manual page
	Description string // for the manual page; paragraphs apart by empty lines
	Operands    string // as the usage text shows them
	Options     []getopt.Option
	Letters     string           // of Options: the tool has these and no others; "" for all of them
	Shared      []*getopt.Option // those of this package that the tool has, behind Options
	Excluded    string           // letters of common options that the tool does not have
	Examples    []string
	ExitStatus  string // for the manual page

	// OperandList is in the place of Operands where it names what is in a table.
	OperandList func() string
	// Words are what the operand op may be, or else the first, for completion; nil for
	// no words.
	Words func() []string
}

// OperandText is what the usage text shows of operands.
func (t *Tool) OperandText() string {
	if t.OperandList != nil {
		return t.OperandList()
	}
	return t.Operands
}

// Exit codes of the C tools.
const (
	ExitUsage = 2
	ExitFatal = 255
)

// Exit ends a command whose output is complete: a usage text, a version.
type Exit struct{ Code int }

func (e *Exit) Error() string { return fmt.Sprintf("exit %d", e.Code) }

// AllOptions is the tool's own options followed by the common ones and those
// that C does not have.
func (t *Tool) AllOptions() []getopt.Option {
	all := t.OwnOptions()
	for _, o := range commonOptions {
		if !strings.ContainsRune(t.Excluded, rune(o.Short)) && !t.owns(o.Short) {
			all = append(all, o)
		}
	}
	return append(all, t.extensions()...)
}

// OwnOptions are those of Options and Shared that the tool has.
func (t *Tool) OwnOptions() []getopt.Option {
	var own []getopt.Option
	for _, o := range t.Options {
		if t.Letters == "" || strings.IndexByte(t.Letters, o.Short) >= 0 {
			own = append(own, o)
		}
	}
	for _, o := range t.Shared {
		own = append(own, *o)
	}
	return own
}

func (t *Tool) owns(letter byte) bool {
	return slices.ContainsFunc(t.OwnOptions(), func(o getopt.Option) bool { return o.Short == letter })
}

// Parse reads the configuration file, then the command line. It calls own for
// each of the tool's own options. Errors are for Code.
func (t *Tool) Parse(e *env.Env, own func(o *getopt.Option, value string) error) (*Common, []string, error) {
	c := &Common{env: e, tool: t, MLXExtendedPortInfo: true}
	e.Fatal = nil
	c.readConfig(e.DiagConfig)
	p := getopt.Parser{Program: e.Args[0], Options: t.AllOptions(), StopAtOperand: e.Getenv("POSIXLY_CORRECT") != ""}
	operands, err := p.Parse(e.Args[1:], func(o *getopt.Option, value string) error {
		switch {
		case isExtension(o):
			return c.setExtension(o, value)
		case t.isCommon(o):
			return c.set(t, o, value)
		}
		return own(o, value)
	})
	var mistake *getopt.Error
	if errors.As(err, &mistake) {
		fmt.Fprintln(e.Stderr, escape.Text(mistake.Error()))
		return nil, nil, t.Usage(e)
	}
	return c, operands, err
}

func (t *Tool) isCommon(o *getopt.Option) bool {
	for i := range commonOptions {
		if *o == commonOptions[i] {
			return true
		}
	}
	return false
}

// Usage prints the usage text on stderr and gives the Exit that follows it. It
// is C's text to the byte, unless a person reads it: what C does not have is
// then shown too.
func (t *Tool) Usage(e *env.Env) error {
	u := getopt.Usage{Program: e.Args[0], Operands: t.OperandText(), Examples: t.Examples}
	if e.IsTerminal(e.Stderr) {
		u.Extensions = "Beyond infiniband-diags"
	}
	if err := u.Write(e.Stderr, t.AllOptions()); err != nil {
		return err
	}
	return &Exit{ExitUsage}
}

// Code turns the error that a tool ends with into its exit code. Anything but
// an Exit is a fatal error, printed on stdout as the C tools do, or on stderr if
// it is a Panic or stdout takes nothing, or as a document where that was asked for.
func Code(e *env.Env, err error) int {
	var exit *Exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.Code
	case e.Fatal != nil:
		e.Fatal(err)
		return ExitFatal
	}
	var panicked *Panic
	if errors.As(err, &panicked) {
		panicked.print(e)
		return ExitFatal
	}
	var fatal *Fatal
	text := escape.Text(err.Error())
	if errors.As(err, &fatal) {
		text = escape.Text(fatal.Text) + fatal.end()
	}
	message := fmt.Sprintf("%s: iberror: failed: %s\n", e.Args[0], text)
	if _, err := io.WriteString(e.Stdout, message); err != nil {
		fmt.Fprint(e.Stderr, message) // a full disk cannot tell that it is full
	}
	return ExitFatal
}

// Fatal is an error in the words of a C tool.
type Fatal struct {
	Text string
	// Blank asks for the empty line that follows some of the C messages.
	Blank bool
	// Cause says what happened, which the C message does not.
	Cause error
}

func (f *Fatal) Error() string { return f.Text }

// Unwrap gives the cause.
func (f *Fatal) Unwrap() error { return f.Cause }

func (f *Fatal) end() string {
	if f.Blank {
		return "\n"
	}
	return ""
}
