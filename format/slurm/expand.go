package slurm

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxNames bounds what Expand makes of one list.
const MaxNames = 1 << 20

// ListError is a list of hosts that cannot be read.
type ListError struct {
	Text   string // the part of it, at most 80 bytes
	Reason string
}

func (e *ListError) Error() string { return fmt.Sprintf("list of hosts, at %q: %s", e.Text, e.Reason) }

func listError(text, reason string) error {
	return &ListError{Text: text[:min(len(text), 80)], Reason: reason}
}

// Expand reads a list of hosts as Slurm writes it: names with commas between them,
// each with any number of brackets: "node[001-128,130],rack[1-2]n[1-4]". Names come in
// the order of the list, maybe twice. Errors are *ListError.
func Expand(list string) ([]string, error) {
	var names []string
	for list = strings.TrimSpace(list); list != ""; {
		end := elementEnd(list)
		element := strings.TrimSpace(list[:end])
		if element == "" {
			return nil, listError(list, "a name is missing")
		}
		var err error
		if names, err = expandElement(names, element); err != nil {
			return nil, err
		}
		if end == len(list) {
			break
		}
		if list = list[end+1:]; list == "" {
			return nil, listError(",", "a name is missing")
		}
	}
	return names, nil
}

// elementEnd is where the first comma outside of brackets stands.
func elementEnd(list string) int {
	depth := 0
	for i := range len(list) {
		switch c := list[i]; {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && depth <= 0:
			return i
		}
	}
	return len(list)
}

// expandElement adds the names of one element.
func expandElement(names []string, element string) ([]string, error) {
	heads := []string{""}
	for rest := element; rest != ""; {
		text, after, found := strings.Cut(rest, "[")
		if strings.ContainsAny(text, "] \t\n") {
			return nil, listError(rest, "not the name of a host")
		}
		for i := range heads {
			heads[i] += text
		}
		if rest = after; !found {
			break
		}
		ranges, after, found := strings.Cut(rest, "]")
		if !found || strings.Contains(ranges, "[") {
			return nil, listError(element, "a bracket is not closed")
		}
		numbers, err := expandRanges(ranges, MaxNames-len(names))
		if err != nil {
			return nil, err
		}
		if len(heads)*len(numbers) > MaxNames-len(names) {
			return nil, listError(element, fmt.Sprintf("more than %d names", MaxNames))
		}
		heads, rest = product(heads, numbers), after
	}
	if len(names)+len(heads) > MaxNames {
		return nil, listError(element, fmt.Sprintf("more than %d names", MaxNames))
	}
	return append(names, heads...), nil
}

func product(heads, tails []string) []string {
	all := make([]string, 0, len(heads)*len(tails))
	for _, h := range heads {
		for _, t := range tails {
			all = append(all, h+t)
		}
	}
	return all
}

// expandRanges reads what is in brackets: "001-128,130".
func expandRanges(text string, room int) (numbers []string, err error) {
	for _, r := range strings.Split(text, ",") {
		low, high, isRange := strings.Cut(r, "-")
		if !isRange {
			high = low
		}
		from, errLow := number(low)
		to, errHigh := number(high)
		if errLow != nil || errHigh != nil || to < from {
			return nil, listError(r, "not a number or a range of numbers")
		}
		if to-from >= room-len(numbers) {
			return nil, listError(r, fmt.Sprintf("more than %d names", MaxNames))
		}
		for n := from; n <= to; n++ {
			numbers = append(numbers, fmt.Sprintf("%0*d", len(low), n))
		}
	}
	return numbers, nil
}

// number reads digits; there are no signs.
func number(text string) (int, error) {
	if text == "" || len(text) > maxDigits || strings.Trim(text, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(text)
}
