package threshold

import (
	"errors"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/counters"
)

func TestDefault(t *testing.T) {
	l := Default()
	s := &counters.Sample{Has: counters.All}
	if got := l.Beyond(s); got != 0 {
		t.Errorf("zeros are beyond: %b", got)
	}
	s.Values[counters.SymbolErrors], s.Values[counters.XmitWait], s.Values[counters.XmitData] = 1, 1, 1
	if got := l.Beyond(s); got != counters.SetOf(counters.SymbolErrors) {
		t.Errorf("beyond are %b", got)
	}
	s.Has = 0
	if got := l.Beyond(s); got != 0 {
		t.Errorf("absent counters are beyond: %b", got)
	}
}

func TestSaturatedIsBeyond(t *testing.T) {
	l := Default()
	l.Set(counters.LinkDowned, 1000)
	s := &counters.Sample{Has: counters.All, Saturated: counters.SetOf(counters.LinkDowned)}
	s.Values[counters.LinkDowned] = 255
	if !l.Beyond(s).Has(counters.LinkDowned) {
		t.Error("a counter that stands at its end counts as below a higher threshold")
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text    string
		counter counters.Counter
		want    uint64
		watched bool
		bad     string
	}{
		{"SymbolErrorCounter=10", counters.SymbolErrors, 10, true, ""},
		{" portxmitwait = 0x10 ", counters.XmitWait, 16, true, ""},
		{"link_downed=off", counters.LinkDowned, 0, false, ""},
		{"LinkDownedCounter", 0, 0, false, "NAME=N"},
		{"PortXmitData=1", 0, 0, false, "no such counter"},
		{"VL15Dropped=-1", 0, 0, false, "expected a number"},
		{"VL15Dropped=", 0, 0, false, "expected a number"},
	} {
		l := Default()
		err := l.Parse(tt.text)
		if tt.bad != "" {
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.bad) {
				t.Errorf("%q: error %v", tt.text, err)
			}
			continue
		}
		if got, watched := l.Of(tt.counter); err != nil || got != tt.want || watched != tt.watched {
			t.Errorf("%q: %d, %v, error %v", tt.text, got, watched, err)
		}
	}
}

func TestRead(t *testing.T) {
	l := Default()
	problems, err := l.Read(strings.NewReader("# comment\n\n#SymbolErrorCounter=1\nSymbolErrorCounter=7\r\nNonsense=1\nVL15Dropped\n"), "f")
	if err != nil || len(problems) != 2 || problems[0].File != "f:5" || problems[1].File != "f:6" {
		t.Errorf("problems %v, error %v", problems, err)
	}
	if n, _ := l.Of(counters.SymbolErrors); n != 7 {
		t.Errorf("SymbolErrorCounter has %d", n)
	}
	if _, err := l.Read(strings.NewReader(strings.Repeat("x", 5000)), "f"); err == nil {
		t.Error("a line of any length is read")
	}
}

func FuzzRead(f *testing.F) {
	f.Add("SymbolErrorCounter=10\n#x\nPortXmitWait=off")
	f.Fuzz(func(t *testing.T, text string) {
		l := Default()
		problems, _ := l.Read(strings.NewReader(text), "f")
		if n := strings.Count(text, "\n") + 1; len(problems) > n {
			t.Errorf("%d problems in %d lines", len(problems), n)
		}
		if l.Watched()&^counters.Errors != 0 {
			t.Errorf("watches %b", l.Watched())
		}
	})
}
