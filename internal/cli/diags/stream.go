package diags

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/internal/escape"
)

// Stream is a document with a list that is too long to be kept: its items are
// printed as they come, one a line. What the others have in front, complete
// and problems, stands at the end.
type Stream struct {
	c     *Common
	out   *bufio.Writer
	items int
	err   error
}

// NewStream begins a document with that list.
func (c *Common) NewStream(list string) *Stream {
	s := &Stream{c: c, out: bufio.NewWriter(c.env.Stdout)}
	s.printf("{\n  \"schema\": \"ibscope.%s\",\n  \"version\": %d,\n  \"%s\": [", c.tool.Name, documentVersion, list)
	return s
}

// Item prints one item, a struct with json tags.
func (s *Stream) Item(item any) error {
	if s.items > 0 {
		s.printf(",")
	}
	s.items++
	s.printf("\n    ")
	s.value(item)
	return s.err
}

// End ends the document, as Finish does one that is printed at once: err is what
// stopped the tool, nil for nothing.
func (s *Stream) End(err error) error {
	var exit *Exit
	if err != nil && !errors.As(err, &exit) {
		s.c.noteFatal(err)
		exit = &Exit{ExitFatal}
	}
	if err := s.close(); err != nil {
		return err
	}
	if exit != nil {
		return exit
	}
	return nil
}

func (s *Stream) close() error {
	head := s.c.head()
	s.printf("\n  ],\n  \"complete\": %t,\n  \"problems\": ", head.Complete)
	s.value(head.Problems)
	s.printf("\n}\n")
	if err := s.out.Flush(); s.err == nil {
		s.err = err
	}
	return s.err
}

func (s *Stream) value(v any) {
	text, err := json.Marshal(v)
	if err != nil && s.err == nil {
		s.err = err
	}
	s.printf("%s", escape.JSON(text))
}

func (s *Stream) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(s.out, format, args...); err != nil && s.err == nil {
		s.err = err
	}
}
