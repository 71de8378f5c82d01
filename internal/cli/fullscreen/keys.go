package fullscreen

import (
	"strings"
	"unicode/utf8"
)

// sequences are the keys that terminals send as more than a character, without the
// escape in front: those of VT100, xterm and the Linux console.
var sequences = map[string]string{
	"[A": "up", "[B": "down", "[C": "right", "[D": "left", "OA": "up", "OB": "down", "OC": "right", "OD": "left",
	"[5~": "pgup", "[6~": "pgdown", "[H": "home", "[F": "end", "OH": "home", "OF": "end",
	"[1~": "home", "[4~": "end", "[7~": "home", "[8~": "end", "[Z": "shift-tab", "OP": "f1", "[11~": "f1", "[[A": "f1", "[3~": "delete",
}

// controls are the keys that are a control character.
var controls = map[byte]string{'\r': "enter", '\n': "enter", '\t': "tab", 0x7f: "backspace", 0x08: "backspace", ' ': "space"}

// maxSequence is how long a sequence may be; what is longer is none.
const maxSequence = 16

// decode takes the first key out of what a terminal has sent. A key is a character, or
// a word: "up", "enter", "ctrl-c"; "" is something that is no key here. With no key at
// all rest is b: more has to come, or what came was the escape key.
func decode(b []byte) (key string, rest []byte, ok bool) {
	switch {
	case len(b) == 0:
		return "", b, false
	case b[0] == 0x1b:
		return decodeEscape(b)
	case controls[b[0]] != "":
		return controls[b[0]], b[1:], true
	case b[0] < 0x20:
		return "ctrl-" + string(rune(b[0]+'a'-1)), b[1:], true
	case !utf8.FullRune(b):
		return "", b, false
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError {
		return "", b[n:], true
	}
	return string(r), b[n:], true
}

// decodeEscape takes a sequence.
func decodeEscape(b []byte) (key string, rest []byte, ok bool) {
	if len(b) == 1 {
		return "", b, false
	}
	if b[1] == 0x1b { // twice the escape key
		return "esc", b[1:], true
	}
	if b[1] != '[' && b[1] != 'O' { // alt with a key, which means nothing here
		_, n := utf8.DecodeRune(b[1:])
		return "", b[1+n:], true
	}
	for i := 2; i < len(b) && i < maxSequence; i++ {
		if b[i] == '[' && i == 2 {
			continue
		}
		if b[i] >= 0x40 && b[i] <= 0x7e {
			return sequences[withoutModifiers(string(b[1:i+1]))], b[i+1:], true
		}
	}
	if len(b) >= maxSequence {
		return "", b[maxSequence:], true
	}
	return "", b, false
}

// withoutModifiers is a sequence without what says that shift, alt or control was held:
// "[1;2A" is "[A".
func withoutModifiers(s string) string {
	front, back, found := strings.Cut(s, ";")
	if !found || len(back) == 0 {
		return s
	}
	last := back[len(back)-1:]
	if last == "~" {
		return front + last
	}
	return strings.TrimSuffix(front, "1") + last
}
