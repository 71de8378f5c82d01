package wiring

import (
	"strings"
	"unicode"
)

// column is what a column of a cabling list tells.
type column uint8

const (
	ignored column = iota
	nodeA
	portA
	guidA
	nodeB
	portB
	guidB
	labelColumn
	speedColumn
	widthColumn
	rateColumn
	numColumns
)

// Words of titles. A side and a kind make a column of one end.
var (
	sidesA = words("from a source src 1 near local left start")
	sidesB = words("to b z destination dest dst target 2 far remote right end peer")
	guids  = words("guid nodeguid portguid")
	ports  = words("port interface socket cage connector hca")
	nodes  = words("node device name host hostname switch system equipment machine nodename devicename")
	labels = words("label cable id tag serial number cableid cablelabel")
)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// columnOf understands the title of a column: its words may be in any order, and
// be parted by blanks, signs or capitals.
func columnOf(title string) column {
	list := split(title)
	has := func(set map[string]bool) bool {
		for _, w := range list {
			if set[w] {
				return true
			}
		}
		return false
	}
	first, second := column(ignored), column(ignored)
	switch {
	case has(guids):
		first, second = guidA, guidB
	case has(ports):
		first, second = portA, portB
	case has(nodes), len(list) == 1:
		first, second = nodeA, nodeB
	}
	switch {
	case has(words("speed")):
		return speedColumn
	case has(words("width")):
		return widthColumn
	case has(words("rate bandwidth")):
		return rateColumn
	case first == ignored && has(labels), !has(sidesA) && !has(sidesB) && has(labels):
		return labelColumn
	case has(sidesB):
		return second
	case has(sidesA):
		return first
	}
	return ignored
}

// split gives the words of a title in lower case; a digit is a word of its own.
func split(title string) (list []string) {
	var b strings.Builder
	end := func() {
		if b.Len() > 0 {
			list = append(list, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	before := ' '
	for _, r := range title {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			before = ' '
			continue
		case unicode.IsUpper(r) && unicode.IsLower(before), unicode.IsDigit(r) != unicode.IsDigit(before):
			end()
		}
		b.WriteRune(r)
		before = r
	}
	end()
	return list
}
