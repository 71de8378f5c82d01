package diags

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/mad/field"
)

// Plan is a request that would change something, and was not sent.
type Plan struct {
	Method      string          `json:"method"`
	Attribute   string          `json:"attribute"`
	Modifier    uint32          `json:"modifier"`
	Destination Destination     `json:"destination"`
	Port        *uint8          `json:"port,omitempty"` // where the attribute names it itself
	Changes     []PlannedChange `json:"changes"`

	to mad.Target
}

// PlannedChange is a field of the attribute: what it is, and what it would be.
type PlannedChange struct {
	Field string          `json:"field"` // the name in the attribute's object
	Old   json.RawMessage `json:"old"`
	New   json.RawMessage `json:"new"`

	name, oldText, newText string
}

// Plan compares an attribute as it is with what a request would make of it, both
// of one type. Keys are hidden unless they are asked for.
func (c *Common) Plan(method mad.Method, class mad.Class, to mad.Target, modifier uint32, before, after field.Value) (*Plan, error) {
	a, err := before.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	return c.PlanFrom(method, class, to, modifier, a, after)
}

// PlanFrom is Plan for an attribute whose wire form is known.
func (c *Common) PlanFrom(method mad.Method, class mad.Class, to mad.Target, modifier uint32, before []byte, after field.Value) (*Plan, error) {
	b, err := after.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		Method: method.String(), Attribute: attr.Name(class, after.AttrID()), Modifier: modifier,
		Destination: DestinationOf(to), Changes: []PlannedChange{}, to: to,
	}
	for _, f := range after.Fields().Changed(before, b) {
		p.Changes = append(p.Changes, c.plannedChange(&f, before, b))
	}
	return p, nil
}

// hiddenKey stands for a key that is not to be shown.
const hiddenKey = "<not displayed>"

func (c *Common) plannedChange(f *field.Field, before, after []byte) PlannedChange {
	ch := PlannedChange{Field: f.JSON, name: f.C}
	if f.Flags&field.Secret != 0 && !c.ShowKeys {
		hidden, _ := json.Marshal(hiddenKey)
		ch.Old, ch.New, ch.oldText, ch.newText = hidden, hidden, hiddenKey, hiddenKey
		return ch
	}
	ch.Old, ch.New = f.AppendJSON(nil, before), f.AppendJSON(nil, after)
	ch.oldText, ch.newText = string(f.AppendValue(nil, before)), string(f.AppendValue(nil, after))
	return ch
}

// Write prints the plan as text: a line for the request, and one for each field.
func (p *Plan) Write(w io.Writer) error {
	would := "would change"
	if len(p.Changes) == 0 {
		would = "would change nothing"
	}
	port := ""
	if p.Port != nil {
		port = fmt.Sprintf(" port %d", *p.Port)
	}
	text := fmt.Appendf(nil, "Dry run: %s(%s) modifier 0x%x to %s%s, not sent, %s\n", p.Method, p.Attribute, p.Modifier, PortID(p.to), port, would)
	for _, ch := range p.Changes {
		text = fmt.Appendf(text, "  %s: %s -> %s\n", ch.name, ch.oldText, ch.newText)
	}
	_, err := w.Write(text)
	return err
}
