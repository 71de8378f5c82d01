// Package problem is how commands tell as JSON what is missing from their output, and
// what is wrong with what is there.
package problem

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/madrpc"
)

// Problem is something that is missing from a report, or a finding about what is
// there. Fields are those of the problems of a fabric in docs/json.md.
type Problem struct {
	Kind      fabric.ProblemKind `json:"kind,omitempty"`
	Message   string             `json:"message"`
	Loss      bool               `json:"loss"`
	GUID      ib.GUID            `json:"guid,omitzero"`
	Port      *int               `json:"port,omitempty"`
	LID       ib.LID             `json:"lid,omitempty"`
	Path      string             `json:"path,omitempty"`
	Attribute string             `json:"attribute,omitempty"`
	Modifier  *uint32            `json:"modifier,omitempty"`
	Status    string             `json:"status,omitempty"`
	File      string             `json:"file,omitempty"`
	Error     string             `json:"error,omitempty"`
}

// Of gives the problems of a fabric.
func Of(list []fabric.Problem) []Problem {
	problems := make([]Problem, 0, len(list))
	for i := range list {
		f := &list[i]
		p := Problem{Kind: f.Kind, Message: f.Error(), Loss: f.Kind.IsLoss(), GUID: f.GUID, File: f.File}
		if f.File == "" {
			p.where(f.Target)
		}
		if f.GUID != 0 && f.Port >= 0 {
			p.Port = &f.Port
		}
		if f.Attr != 0 {
			p.Attribute, p.Modifier = attr.Name(cmp.Or(f.Class, mad.ClassSubnLID), f.Attr), &f.Modifier
		}
		if f.Err != nil {
			p.Error = f.Err.Error()
		}
		problems = append(problems, p)
	}
	return problems
}

// Lost is a problem by which something is missing. An error of a request tells
// whom it was sent to.
func Lost(err error) Problem {
	p := Problem{Message: err.Error(), Loss: true}
	var request *madrpc.Error
	if !errors.As(err, &request) {
		return p
	}
	p.where(request.Target)
	p.Attribute, p.Modifier, p.Error = attr.Name(request.Class, request.Attr), &request.Modifier, request.Err.Error()
	var status mad.Status
	switch {
	case errors.As(request.Err, &status):
		p.Kind, p.Status = fabric.BadStatus, fmt.Sprintf("0x%04x", uint16(status))
	case errors.Is(request.Err, os.ErrDeadlineExceeded):
		p.Kind = fabric.NoReply
	}
	return p
}

// At is the problem with the node and the port that it is about.
func (p Problem) At(guid ib.GUID, port int) Problem {
	p.GUID, p.Port = guid, &port
	return p
}

func (p *Problem) where(t mad.Target) {
	p.LID = t.LID
	if t.IsDirected() {
		p.Path = t.Path.String()
	}
}
