package facts

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
)

// place is a line of a file.
type place struct{ file, line int32 }

// attribute is what all files together tell of an attribute.
type attribute struct {
	told  Fact
	guess *Fact // nil for none
	first place // who told it
	later []teller
}

// teller is a line that told bits which were not told before.
type teller struct {
	place
	mask [mad.DataSize]byte
}

// tell adds a fact and gives the bits in which it contradicts what is known.
func (a *attribute) tell(at place, f *Fact) (wrong [mad.DataSize]byte, differs bool) {
	fresh := teller{place: at}
	isNew := a.told.IsZero()
	adds := false
	for i := range f.mask {
		both := f.mask[i] & a.told.mask[i]
		wrong[i] = (f.data[i] ^ a.told.data[i]) & both
		differs = differs || wrong[i] != 0
		fresh.mask[i] = f.mask[i] &^ a.told.mask[i]
		adds = adds || fresh.mask[i] != 0
		a.told.data[i] |= f.data[i] & fresh.mask[i]
		a.told.mask[i] |= fresh.mask[i]
	}
	switch {
	case isNew:
		a.first = at
	case adds:
		a.later = append(a.later, fresh)
	}
	return wrong, differs
}

// tellerOf is where a field was told.
func (a *attribute) tellerOf(f field.Field) place {
	for i := range a.later {
		if f.Uint(a.later[i].mask[:]) != 0 {
			return a.later[i].place
		}
	}
	return a.first
}

// suppose adds what holds where nobody tells.
func (a *attribute) suppose(f *Fact) {
	if f.IsZero() {
		return
	}
	if a.guess == nil {
		a.guess = new(Fact)
	}
	for i := range f.mask {
		fresh := f.mask[i] &^ a.guess.mask[i]
		a.guess.data[i] |= f.data[i] & fresh
		a.guess.mask[i] |= fresh
	}
}

// bytes is the attribute in wire form: what is told, then what is guessed, else 0.
func (a *attribute) bytes() (data [mad.DataSize]byte) {
	data = a.told.data
	if a.guess != nil {
		for i := range data {
			data[i] |= a.guess.data[i] &^ a.told.mask[i]
		}
	}
	return data
}

// isKnown reports whether anything is told or guessed.
func (a *attribute) isKnown() bool { return a.guess != nil || !a.told.IsZero() }

// disagree lists the fields in which a fact contradicts the attribute.
func (f *File) disagree(a *attribute, t field.Table, fact *Fact, wrong *[mad.DataSize]byte, line int, guid ib.GUID, port int) {
	for i := range t {
		fld := &t[i]
		if fld.Flags&field.Alias != 0 || fld.Uint(wrong[:]) == 0 {
			continue
		}
		f.problems.Add(fabric.Problem{
			Kind: fabric.FilesDisagree, GUID: guid, Port: port, File: f.At(line),
			Detail: fmt.Sprintf("%s is %s here, but %s at %s, which counts", fld.C,
				fld.AppendValue(nil, fact.data[:]), fld.AppendValue(nil, a.told.data[:]), f.set.at(a.tellerOf(*fld))),
		})
	}
}
