package diags

import (
	"errors"
	"math"
	"testing"
)

func TestWholeUint(t *testing.T) {
	for _, tt := range []struct {
		text string
		want uint64
		err  error
	}{
		{"", 0, nil},
		{"0", 0, nil},
		{"12", 12, nil},
		{" 12", 12, nil},
		{"+7", 7, nil},
		{"-1", math.MaxUint64, nil},
		{"0x1F", 31, nil},
		{"010", 8, nil},
		{"18446744073709551615", math.MaxUint64, nil},
		{"08", 0, ErrNumber},
		{"0x", 0, ErrNumber},
		{"0xg", 0, ErrNumber},
		{"12x", 0, ErrNumber},
		{"x", 0, ErrNumber},
		{"-", 0, ErrNumber},
		{" ", 0, ErrNumber},
		{"12 ", 0, ErrNumber},
		{"1_0", 0, ErrNumber},
		{"18446744073709551616", math.MaxUint64, ErrRange},
		{"99999999999999999999x", math.MaxUint64, ErrRange},
	} {
		got, err := WholeUint(tt.text)
		if got != tt.want || !errors.Is(err, tt.err) || tt.err == nil && err != nil {
			t.Errorf("%q: %d, %v, want %d, %v", tt.text, got, err, tt.want, tt.err)
		}
	}
}
