package saview

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/saclient"
)

// maxRecords bounds the records of a table: 49,151 LIDs are not enough for as many
// ports.
const maxRecords = 1 << 22

// table reads a table and gives take each record, which reports whether it can be
// true. What goes wrong becomes a problem.
func (r *reader) table(ctx context.Context, v madrpc.Attribute, length int, take func(*reader, []byte) bool) error {
	count, bad := 0, 0
	var firstBad []byte
	var failed error
	for row, err := range r.client.Rows(ctx, saclient.Query{Record: v}) {
		if err == nil && count == maxRecords {
			err = fmt.Errorf("there are more than %d records", maxRecords)
		}
		if err != nil {
			failed = err
			break
		}
		count++
		if len(row) < length || !take(r, row) {
			if bad++; bad == 1 {
				firstBad = slices.Clone(row[:min(len(row), length)])
			}
		}
	}
	if bad > 0 {
		r.problem(fabric.Problem{
			Kind: fabric.BadReply, Port: -1, Attr: v.AttrID(),
			Detail: fmt.Sprintf("%d of %d records of table %s cannot be true, the first is %x",
				bad, count, attr.Name(mad.ClassSubnAdm, v.AttrID()), firstBad[:min(len(firstBad), 48)]),
		})
	}
	if failed == nil || errors.Is(failed, sa.StatusNoRecords) {
		return nil
	}
	r.problem(tableProblem(v, count, failed))
	return failed
}

// tableProblem is why a table is not complete.
func tableProblem(v madrpc.Attribute, count int, err error) fabric.Problem {
	p := fabric.Problem{
		Kind: fabric.NoReply, Port: -1, Attr: v.AttrID(), Err: err,
		Detail: fmt.Sprintf("table %s ended after %d records", attr.Name(mad.ClassSubnAdm, v.AttrID()), count),
	}
	var status mad.Status
	switch {
	case errors.As(err, &status):
		p.Kind = fabric.BadStatus
	case errors.Is(err, saclient.ErrBadTable):
		p.Kind = fabric.BadReply
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		p.Kind = fabric.NotFinished
	}
	return p
}

func (r *reader) problem(p fabric.Problem) {
	p.Target = r.client.Target()
	r.problems = append(r.problems, p)
}
