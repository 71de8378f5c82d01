package diags

import (
	"encoding/json"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/mad/field"
)

// Answer is an attribute that was read, as data.
type Answer struct {
	Attribute string          `json:"attribute"`
	Modifier  uint32          `json:"modifier"`
	Fields    json.RawMessage `json:"fields"`
}

// Answer is the answer that holds v, with keys if they are asked for.
func (c *Common) Answer(class mad.Class, v field.Value, modifier uint32) Answer {
	return Answer{Attribute: attr.Name(class, v.AttrID()), Modifier: modifier, Fields: c.Fields(v)}
}

// Fields is v as a JSON object, with keys if they are asked for.
func (c *Common) Fields(v field.Value) json.RawMessage {
	data, err := v.AppendBinary(nil)
	if err != nil || c.ShowKeys {
		return v.AppendJSON(nil)
	}
	return v.Fields().Public().AppendJSON(nil, data)
}

// Destination is whom a tool asked, as data.
type Destination struct {
	LID  uint16 `json:"lid,omitempty"`
	Path string `json:"path,omitempty"`
}

// DestinationOf is the destination that t is.
func DestinationOf(t mad.Target) Destination {
	d := Destination{LID: uint16(t.LID)}
	if t.IsDirected() {
		d.Path = t.Path.String()
	}
	return d
}
