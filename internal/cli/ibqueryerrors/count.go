package ibqueryerrors

import (
	"fmt"

	"github.com/ibscope/ibscope/mad/field"
)

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

// value is a counter by the name that C prints.
func value(v field.Value, name string) uint64 {
	f, ok := v.Fields().ByC(name)
	if !ok {
		return 0
	}
	data, err := v.AppendBinary(nil)
	if err != nil {
		return 0
	}
	return f.Uint(data)
}
