package api

import (
	"strconv"
	"strings"
	"unicode"
)

func decimal(n int) string { return strconv.Itoa(n) }

// members are those of a set of package ib, from its text.
func members(text string) []string {
	if text == "none" {
		return []string{}
	}
	return strings.Split(text, " or ")
}

// searchWords are the words of a search, in small letters.
func searchWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return unicode.IsSpace(r) || r == 0 })
}

func containsWord(text, word string) bool { return strings.Contains(text, word) }

// fitsName reports whether a name fits a pattern, in any case of letters. Without * and ?
// it is a part of the name.
func fitsName(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	if !strings.ContainsAny(pattern, "*?") {
		return strings.Contains(name, pattern)
	}
	return fitsWhole([]rune(pattern), []rune(name))
}

// fitsWhole fits a pattern to a whole text. It takes time in the product of their
// lengths at most.
func fitsWhole(pattern, text []rune) bool {
	star, back := -1, 0 // the last *, and where the text went on behind it
	i := 0
	for j := 0; j < len(text); {
		switch {
		case i < len(pattern) && pattern[i] == '*':
			star, back = i, j
			i++
		case i < len(pattern) && (pattern[i] == '?' || pattern[i] == text[j]):
			i, j = i+1, j+1
		case star >= 0: // let the * stand for one more
			back++
			i, j = star+1, back
		default:
			return false
		}
	}
	return strings.Trim(string(pattern[i:]), "*") == ""
}
