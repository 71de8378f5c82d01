package field

import "github.com/ibscope/ibscope/mad"

// An Attribute is what can be known about an attribute without its data.
type Attribute struct {
	Class  mad.Class // mad.ClassSubnLID for all of subnet management
	ID     mad.AttrID
	Name   string // as the specification spells it in one word: "NodeInfo"
	Size   int    // of the wire form in bytes
	Fields Table

	// View says that this is another layout of the attribute with the same
	// identifier: data tells which one applies only in part. It is found by name.
	View bool

	// New makes an empty value of the attribute's type.
	New func() Value
}

// A Value is a decoded attribute. Its pointer type also has Decode and Encode
// over an array of the attribute's size.
type Value interface {
	AttrID() mad.AttrID

	// UnmarshalBinary decodes the wire form. Data after it is ignored;
	// shorter data is an *Error that wraps io.ErrUnexpectedEOF.
	UnmarshalBinary(data []byte) error

	// AppendBinary appends the wire form, with undeclared bits 0.
	AppendBinary(dst []byte) ([]byte, error)

	Fields() Table
	AppendDump(dst []byte) []byte // the text of libibmad
	AppendJSON(dst []byte) []byte
}
