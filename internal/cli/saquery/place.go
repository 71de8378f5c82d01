package saquery

import (
	"context"
	"fmt"
	"math"
	"strings"
	"syscall"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/saclient"
)

// place is an operand of the form lid/number/number.
type place struct {
	lid           ib.LID // 0 for none
	first, second *int64 // nil for none
}

// place reads the operand with that index; all of it may be missing. The numbers
// have 8 bits, or are at most what largest says.
func (s *session) place(ctx context.Context, index int, largest ...int64) (p place, err error) {
	if index >= len(s.operands) {
		return p, nil
	}
	largest = append(largest, math.MaxUint8, math.MaxUint8)
	parts := strings.SplitN(s.operands[index], "/", 4)
	if p.lid, err = s.lid(ctx, parts[0]); err != nil {
		return p, err
	}
	if len(parts) > 1 {
		if p.first, err = s.number(parts[1], largest[0]); err != nil {
			return p, err
		}
	}
	if len(parts) > 2 {
		p.second, err = s.number(parts[2], largest[1])
	}
	return p, err
}

// number reads a number, nil if there is none. C cuts it off at the width of the
// field and takes one of all ones for none.
func (s *session) number(text string, largest int64) (*int64, error) {
	trimmed := strings.TrimLeft(text, " \t+")
	if trimmed == "" || trimmed[0] < '0' || trimmed[0] > '9' {
		return nil, nil
	}
	n := int64(min(diags.LeadingUint(text), math.MaxInt64))
	if n > largest {
		return nil, s.invalid("number", text)
	}
	return &n, nil
}

// lid is the LID that a text is, or that the node has whose description it is,
// if it begins with a letter.
func (s *session) lid(ctx context.Context, text string) (ib.LID, error) {
	if text != "" && isLetter(text[0]) {
		return s.lidOfName(ctx, text)
	}
	n := diags.LeadingInt(text)
	if n <= 0 || n > math.MaxUint16 {
		return 0, s.invalid("lid", text)
	}
	return ib.LID(n), nil
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// noNet is Linux's ENONET, which saquery ends with; other systems do not have it.
const noNet = 64

func (s *session) lidOfName(ctx context.Context, name string) (ib.LID, error) {
	for node, err := range saclient.Table[sa.NodeRecord](ctx, s.sa, saclient.Query{}) {
		if err != nil {
			return 0, s.unfound(name, s.failed(err))
		}
		if string(untilNUL(node.Desc.Raw())) == name {
			return node.LID, nil
		}
	}
	return 0, s.unfound(name, &diags.Exit{Code: noNet})
}

// unfound tells that a name has no LID, and passes on how the tool ends.
func (s *session) unfound(name string, exit *diags.Exit) error {
	fmt.Fprintf(s.env.Stderr, "Failed to find lid for \"%s\": %s\n", escape.Text(name), diags.Strerror(syscall.Errno(exit.Code)))
	return exit
}

func (s *session) invalid(what, text string) error {
	fmt.Fprintf(s.env.Stderr, "Invalid %s specified: \"%s\"\n", what, escape.Text(text))
	return &diags.Exit{Code: int(syscall.EINVAL)}
}
