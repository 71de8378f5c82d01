package lines

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestScanner(t *testing.T) {
	long := strings.Repeat("x", 3*MaxLength)
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"no end", "a", []string{"1 a"}},
		{"unix", "a\n\nb\n", []string{"1 a", "2 ", "3 b"}},
		{"dos", "a\r\nb\r\n", []string{"1 a", "2 b"}},
		{"mark", "\ufeffa\n\ufeffb", []string{"1 a", "2 \ufeffb"}},
		{"bare CR", "a\rb\nc", []string{"1 a", "1 b", "2 c"}},
		{"long", "a\n" + long + "\nb", []string{"1 a", "2 " + long[:MaxLength] + " cut", "3 b"}},
		{"long at the end", long, []string{"1 " + long[:MaxLength] + " cut"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			s := NewScanner(iotest.OneByteReader(strings.NewReader(tt.text)))
			for s.Scan() {
				line := fmt.Sprintf("%d %s", s.Num(), s.Bytes())
				if s.Cut() {
					line += " cut"
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if s.Err() != nil {
				t.Error(s.Err())
			}
		})
	}
}

func TestScannerError(t *testing.T) {
	s := NewScanner(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(io.ErrClosedPipe)))
	n := 0
	for s.Scan() {
		n++
	}
	if n != 2 || !errors.Is(s.Err(), io.ErrClosedPipe) {
		t.Errorf("%d lines, error %v; want 2 lines and a closed pipe", n, s.Err())
	}
}

// zeros is what /dev/zero gives.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func TestLineWithoutEnd(t *testing.T) {
	s := NewScanner(zeros{})
	if !s.Scan() || !s.Cut() || len(s.Bytes()) != MaxLength {
		t.Errorf("cut %v, %d bytes", s.Cut(), len(s.Bytes()))
	}
	if s.Scan() || !errors.Is(s.Err(), ErrNotText) {
		t.Errorf("error %v, want the end with ErrNotText", s.Err())
	}
}

func TestCursor(t *testing.T) {
	c := Cursor("\t [12](ab/c)  \"x\" word 1234567890")
	c.Blanks()
	if c.Byte('(') || !c.Byte('[') {
		t.Error("Byte")
	}
	if n, ok := c.Uint(); n != 12 || !ok {
		t.Error("Uint:", n, ok)
	}
	if !c.Text("]") || c.Text("(x") {
		t.Error("Text")
	}
	if b, ok := c.Between('(', ')'); string(b) != "ab/c" || !ok {
		t.Errorf("Between: %q", b)
	}
	c.Blanks()
	if b, ok := c.Between('"', '"'); string(b) != "x" || !ok {
		t.Errorf("Between: %q", b)
	}
	c.Blanks()
	if w := c.Word(); string(w) != "word" {
		t.Errorf("Word: %q", w)
	}
	c.Blanks()
	if n, ok := c.Uint(); ok {
		t.Error("ten digits were taken for", n)
	}
	if _, ok := c.Between('1', '!'); ok || len(c) != 10 {
		t.Errorf("a failed Between took something, %q is left", c)
	}
}

func TestHex(t *testing.T) {
	for text, want := range map[string]uint64{"0": 0, "0x2c9": 0x2c9, "0XfF": 0xff, "ffffffffffffffff": 1<<64 - 1, "0x0": 0} {
		if v, ok := Hex([]byte(text)); v != want || !ok {
			t.Errorf("Hex(%q) = %#x, %v; want %#x", text, v, ok, want)
		}
	}
	for _, text := range []string{"", "0x", "g", "0x1ffffffffffffffff", "<redacted>", "-1"} {
		if v, ok := Hex([]byte(text)); ok {
			t.Errorf("Hex(%q) = %#x, want a refusal", text, v)
		}
	}
}

func TestProblemsAreBounded(t *testing.T) {
	p := Problems{File: "f"}
	for i := range MaxProblems + 7 {
		p.Bad(i, "no %d", i)
	}
	list := p.List()
	last := list[len(list)-1]
	if len(list) != MaxProblems+1 || !strings.HasPrefix(last.Detail, "7 more") {
		t.Errorf("%d problems, the last is %q", len(list), last.Detail)
	}
	if list[3].Error() != "f:3: no 3" {
		t.Errorf("third is %q", list[3].Error())
	}
}
