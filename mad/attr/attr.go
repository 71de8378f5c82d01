// Package attr finds the attributes of all management classes by class and
// identifier: their names for messages, their field tables for dumps and JSON,
// and values to decode them into.
package attr

import (
	"iter"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/bm"
	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/mad/dm"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/mad/vendors/openib"
)

// packages lists where attributes are declared. Those of vendor classes are the
// ones of the vendor that the class is known for.
var packages = [...]func() []field.Attribute{
	smp.Attributes, sa.Attributes, pma.Attributes, bm.Attributes, dm.Attributes,
	mlnx.Attributes, cc.Attributes, openib.Attributes,
}

// canonical is the class under which the attributes of c are listed: directed
// SMPs carry the same attributes as LID routed ones.
func canonical(c mad.Class) mad.Class {
	if c == mad.ClassSubnDirected {
		return mad.ClassSubnLID
	}
	return c
}

// Lookup finds an attribute that this release can decode.
func Lookup(class mad.Class, id mad.AttrID) (field.Attribute, bool) {
	class = canonical(class)
	for _, attributes := range packages {
		for _, a := range attributes() {
			if a.Class == class && a.ID == id && !a.View {
				return a, true
			}
		}
	}
	return field.Attribute{}, false
}

// ByName finds an attribute of a class by its name, as in "NodeInfo".
func ByName(class mad.Class, name string) (field.Attribute, bool) {
	for c, a := range All() {
		if c == canonical(class) && a.Name == name {
			return a, true
		}
	}
	return field.Attribute{}, false
}

// All goes over all attributes, class by class and by identifier, views (see
// field.Attribute) after the attribute they are views of. Those of
// subnet management come once, under mad.ClassSubnLID.
func All() iter.Seq2[mad.Class, field.Attribute] {
	return func(yield func(mad.Class, field.Attribute) bool) {
		for _, attributes := range packages {
			for _, a := range attributes() {
				if !yield(a.Class, a) {
					return
				}
			}
		}
	}
}

// Decode decodes the data of an attribute. It gives false for an attribute
// that Lookup does not find; data that is too short is a *field.Error.
func Decode(class mad.Class, id mad.AttrID, data []byte) (field.Value, bool, error) {
	a, ok := Lookup(class, id)
	if !ok {
		return nil, false, nil
	}
	v := a.New()
	if err := v.UnmarshalBinary(data); err != nil {
		return nil, true, err
	}
	return v, true, nil
}
