package hosttree

import (
	"strconv"
	"strings"
)

// taken are the names that are in use, in lower case.
type taken map[string]bool

func newTaken() taken { return taken{} }

func (t taken) take(name string) { t[strings.ToLower(name)] = true }

// free takes a name, with a number behind it where it is taken already.
func (t taken) free(base string) string {
	base = legal(base, MaxName)
	if base == "" {
		base = "fabric"
	}
	name := base
	for i := 2; t[strings.ToLower(name)] || isKeyword(name); i++ {
		number := "-" + strconv.Itoa(i)
		name = legal(base, MaxName-len(number)) + number
	}
	t.take(name)
	return name
}

// legal makes a name of at most so many characters: what is not allowed becomes
// one "-", and both ends are letters or digits.
func legal(text string, most int) string {
	var b strings.Builder
	for i := 0; i < len(text) && b.Len() < most; i++ {
		c := text[i]
		switch {
		case isAlphanumeric(c):
			b.WriteByte(c)
		case b.Len() == 0:
		case c == '.' || c == '_' || c == '-':
			b.WriteByte(c)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimRight(b.String(), "._-")
}

// IsHostName reports whether schedulers take a name for that of a host: letters,
// digits, ".", "_" and "-", at both ends a letter or digit, at most 253 characters,
// and not a word with a meaning of its own.
func IsHostName(name string) bool {
	if name == "" || len(name) > 253 || !isAlphanumeric(name[0]) || !isAlphanumeric(name[len(name)-1]) || isKeyword(name) {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !isAlphanumeric(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isKeyword reports whether Slurm takes a name for something else.
func isKeyword(name string) bool {
	switch strings.ToLower(name) {
	case "all", "default", "none", "localhost":
		return true
	}
	return false
}
