package smpquery

import (
	"encoding/json"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
)

// document is what smpquery found out: every attribute that it read on its way
// too, such as the NodeInfo by which it knows how long a table is.
type document struct {
	Operation   string            `json:"operation"`
	Destination diags.Destination `json:"destination"`
	Port        *int32            `json:"port,omitempty"`
	Capacity    *int              `json:"capacity,omitempty"`
	Answers     []diags.Answer    `json:"answers"`
}

func (q *query) document() *document {
	d := &document{
		Operation: q.op.name, Destination: diags.DestinationOf(q.to),
		Capacity: q.capacity, Answers: q.answers,
	}
	if q.op.port {
		d.Port = &q.portnum
	}
	return d
}

// note keeps an attribute for the document.
func (q *query) note(v any, modifier uint32) {
	a, ok := v.(field.Value)
	if !ok || !q.JSON {
		return
	}
	answer := diags.AnswerOf(mad.ClassSubnLID, a, modifier)
	if info, isPort := v.(*smp.PortInfo); isPort && !q.ShowKeys {
		answer.Fields = withoutKey(info)
	}
	q.answers = append(q.answers, answer)
}

// withoutKey is the PortInfo as data without its M_Key, which is shown with -K only.
func withoutKey(info *smp.PortInfo) json.RawMessage {
	data, err := info.AppendBinary(nil)
	if err != nil {
		return nil
	}
	fields := info.Fields()
	shown := fields[:0:0]
	for i := range fields {
		if fields[i].Go != "MKey" {
			shown = append(shown, fields[i])
		}
	}
	return shown.AppendJSON(nil, data)
}
