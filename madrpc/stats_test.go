package madrpc

import (
	"reflect"
	"testing"
)

// TestPlus: no count is forgotten.
func TestPlus(t *testing.T) {
	var a Stats
	v := reflect.ValueOf(&a).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.CanUint() {
			f.SetUint(uint64(i) + 1)
		} else {
			f.SetInt(int64(i) + 1)
		}
	}
	sum := reflect.ValueOf(a.Plus(a))
	for i := range sum.NumField() {
		f := sum.Field(i)
		if f.CanUint() && f.Uint() != 2*uint64(i+1) || f.CanInt() && f.Int() != 2*int64(i+1) {
			t.Errorf("%s is %v", sum.Type().Field(i).Name, f)
		}
	}
}
