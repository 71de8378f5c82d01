package ib

import (
	"errors"
	"strings"
	"testing"
)

func TestDRPath(t *testing.T) {
	p, err := ParseDRPath("0,1,2,255")
	if err != nil {
		t.Fatal(err)
	}
	if p.Len() != 3 || p.Hop(0) != 1 || p.Hop(2) != 255 || p.Last() != 255 || p.String() != "0,1,2,255" {
		t.Errorf("%v: %d hops, first %d, last %d", p, p.Len(), p.Hop(0), p.Last())
	}
	var zero DRPath
	for _, s := range []string{"", "0"} {
		if got, err := ParseDRPath(s); got != zero || err != nil {
			t.Errorf("ParseDRPath(%q) = %v, %v", s, got, err)
		}
	}
	if zero.String() != "0" || zero.Last() != 0 || zero.Parent() != zero {
		t.Errorf("zero path %q, last %d", zero, zero.Last())
	}
}

// TestDRPathEquality checks that a path is the same value however it came
// about, so that paths can be compared with == and be map keys.
func TestDRPathEquality(t *testing.T) {
	a, err := NewDRPath(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	longer, ok := a.Append(9)
	if !ok || longer.Parent() != a {
		t.Errorf("%v without its last hop is not %v", longer, a)
	}
	if a.Len() != 2 {
		t.Error("Append changed its receiver")
	}
	if longer.Parent().Parent().Parent() != (DRPath{}) {
		t.Error("the path without hops is not the zero path")
	}
}

func TestDRPathLimit(t *testing.T) {
	full, err := NewDRPath(make([]int, MaxHops)...)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := full.Append(1); ok || got != full {
		t.Errorf("hop 64 was accepted: %v", got)
	}
	var e *ParseError
	if _, err := NewDRPath(make([]int, MaxHops+1)...); !errors.As(err, &e) {
		t.Errorf("64 hops: %v, want a *ParseError", err)
	}
	if _, err := ParseDRPath("0" + strings.Repeat(",1", MaxHops+1)); !errors.As(err, &e) {
		t.Errorf("64 hops: %v, want a *ParseError", err)
	}
	for _, port := range []int{-1, 256} {
		if _, err := NewDRPath(port); !errors.As(err, &e) {
			t.Errorf("port %d: %v, want a *ParseError", port, err)
		}
	}
}

func TestDRPathCompare(t *testing.T) {
	order := []string{"0", "0,1", "0,2", "0,1,1", "0,1,2", "0,2,1"}
	for i, a := range order {
		for j, b := range order {
			p, err := ParseDRPath(a)
			if err != nil {
				t.Fatal(err)
			}
			q, err := ParseDRPath(b)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Compare(q); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%s compared with %s = %d", a, b, got)
			}
		}
	}
}

func TestCopyTo(t *testing.T) {
	p, err := NewDRPath(7, 8)
	if err != nil {
		t.Fatal(err)
	}
	var dst [64]byte
	for i := range dst {
		dst[i] = 0xff
	}
	p.CopyTo(&dst)
	if want := [64]byte{1: 7, 2: 8}; dst != want {
		t.Errorf("%v, want %v", dst, want)
	}
}

func FuzzParseDRPath(f *testing.F) {
	f.Add("0,1,2")
	f.Add("0,01,002")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParseDRPath(s)
		if err != nil {
			return
		}
		if back, err := ParseDRPath(p.String()); back != p || err != nil {
			t.Errorf("%q is %v, which reads back as %v, %v", s, p, back, err)
		}
	})
}
