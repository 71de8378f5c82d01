package survey

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
)

// kindOf is the kind of problem that an error is.
func kindOf(err error) fabric.ProblemKind {
	var status mad.Status
	switch {
	case errors.As(err, &status):
		return fabric.BadStatus
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, counters.ErrNotAsked):
		return fabric.NotFinished
	}
	return fabric.NoReply
}

// problem is a request that did not get what it asked for.
func problem(n *fabric.Node, num int, to mad.Target, class mad.Class, attr mad.AttrID, modifier uint32, detail string, err error) fabric.Problem {
	if e, ok := errors.AsType[*madrpc.Error](err); ok {
		err = e.Err // the problem itself names the rest
	}
	return fabric.Problem{
		Kind: kindOf(err), Target: to, GUID: n.GUID(), Port: num,
		Class: class, Attr: attr, Modifier: modifier, Detail: detail, Err: err,
	}
}
