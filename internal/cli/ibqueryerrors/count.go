package ibqueryerrors

import "fmt"

// human is a count with a unit, as C prints it: in floating point of 32 bits,
// and data counters, which count words, in bytes.
func human(n uint64, isData bool) string {
	unit, div := 0, uint64(1)
	for rest := n / 1024; rest != 0; rest /= 1024 {
		unit++
		div *= 1024
	}
	v := float32(n)
	if isData {
		v *= 4
		if v/float32(div) > 1024 {
			unit++
			div *= 1024
		}
	}
	v /= float32(div)
	suffix := [...]string{"", "K", "M", "G", "T", "P", "E"}
	text := ""
	if unit < len(suffix) {
		text = suffix[unit]
		if isData {
			text += "B"
		}
	}
	return fmt.Sprintf("%5.3f%s", v, text)
}
