package ibccconfig

import (
	"encoding/hex"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/cc"
)

// reader reads parameters one after the other. The first mistake stays in err, in
// the words of C.
type reader struct {
	words []string
	err   error
}

func (r *reader) next() string {
	if len(r.words) == 0 {
		return ""
	}
	word := r.words[0]
	r.words = r.words[1:]
	return word
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = failed(what)
	}
}

// number reads a number that fits into bits.
func (r *reader) number(bits int) uint64 { return r.parse(r.next(), bits) }

func (r *reader) parse(word string, bits int) uint64 {
	v, err := diags.WholeUint(word)
	if err == nil && bits < 64 && v>>bits != 0 {
		err = diags.ErrRange
	}
	if err != nil {
		r.fail(err.Error())
		return 0
	}
	return v
}

// mask reads up to 64 hexadecimal digits, the last of which are those of port 0
// and its neighbours.
func (r *reader) mask() (m [32]byte) {
	digits := r.next()
	if strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0X") {
		digits = digits[2:]
	}
	isHex := func(c rune) bool { return strings.ContainsRune("0123456789abcdefABCDEF", c) }
	switch {
	case strings.TrimLeftFunc(digits, isHex) != "":
		r.fail("invalid hex digit read")
		return m
	case len(digits) > 2*len(m):
		r.fail("hex code too long")
		return m
	}
	padded := strings.Repeat("0", 2*len(m)-len(digits)) + digits
	_, _ = hex.Decode(m[:], []byte(padded)) // nothing but digits, as many as there is room for
	return m
}

// delay reads shift:multiplier.
func (r *reader) delay() cc.TableEntry {
	shift, multiplier, ok := strings.Cut(r.next(), ":")
	if !ok {
		r.fail("ccts are formatted shift:multiplier")
		return cc.TableEntry{}
	}
	return cc.TableEntry{Shift: uint8(r.parse(shift, 2)), Multiplier: uint16(r.parse(multiplier, 14))}
}
