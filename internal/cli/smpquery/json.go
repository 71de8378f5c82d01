package smpquery

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
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
	q.answers = append(q.answers, q.Answer(mad.ClassSubnLID, a, modifier))
}
