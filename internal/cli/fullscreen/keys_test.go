package fullscreen

import (
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, tt := range []struct{ sent, want string }{
		{"q", "q"},
		{"\x1b[A\x1b[B", "up down"},
		{"\x1bOA", "up"},
		{"\x1b[5~x", "pgup x"},
		{"\r\t\x7f ", "enter tab backspace space"},
		{"\x03", "ctrl-c"},
		{"é", "é"},
		{"\xff", ""},
		{"\x1b[1;5C", "right"},
		{"\x1b[6;2~", "pgdown"},
		{"\x1b[Z", "shift-tab"},
		{"\x1b\x1b[A", "esc up"},
		{"\x1bx", ""},
		{"\x1b[200~pasted", "p a s t e d"},
		{"\x1b[[A", "f1"},
		{"\x1b[" + strings.Repeat("1", 40) + "A", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 A"},
	} {
		var got []string
		for rest := []byte(tt.sent); ; {
			key, after, ok := decode(rest)
			if !ok {
				if len(after) > 0 {
					t.Errorf("%q: %q is left", tt.sent, after)
				}
				break
			}
			if key != "" {
				got = append(got, key)
			}
			rest = after
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %q", tt.sent, got, tt.want)
		}
	}
}

// TestIncomplete makes sure that the begin of a sequence waits for its end.
func TestIncomplete(t *testing.T) {
	for _, sent := range []string{"\x1b", "\x1b[", "\x1b[1;", "\xc3"} {
		if key, rest, ok := decode([]byte(sent)); ok || string(rest) != sent {
			t.Errorf("%q: %q, %v", sent, key, ok)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\x1b[1;5C\x1bO"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for {
			_, rest, ok := decode(b)
			if !ok {
				return
			}
			if len(rest) >= len(b) {
				t.Fatalf("%q: %q is left", b, rest)
			}
			b = rest
		}
	})
}

func TestDrawWritesWhatHasChanged(t *testing.T) {
	var out strings.Builder
	s := &Screen{out: &out}
	for _, lines := range [][]string{{"a", "b", "c"}, {"a", "x", "c"}, {"a", "x"}, {"a", "x"}} {
		if err := s.Draw(lines); err != nil {
			t.Fatal(err)
		}
	}
	want := beginUpdate + "\x1b[H\x1b[2J\x1b[1;1Ha\x1b[0m\x1b[K\x1b[2;1Hb\x1b[0m\x1b[K\x1b[3;1Hc\x1b[0m\x1b[K" + endUpdate +
		beginUpdate + "\x1b[2;1Hx\x1b[0m\x1b[K" + endUpdate + beginUpdate + "\x1b[3;1H\x1b[K" + endUpdate
	if out.String() != want {
		t.Errorf("written: %q\nwant:    %q", out.String(), want)
	}
}
