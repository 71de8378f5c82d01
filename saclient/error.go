package saclient

import (
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/mad/sa"
)

// An Error is a query that failed. Unwrap gives the cause, for most a
// *madrpc.Error; errors.Is finds the mad.Status (sa.StatusNoRecords and the
// others), os.ErrDeadlineExceeded, the context's error, ErrBadTable.
type Error struct {
	Op   string // "Get", "GetTable"
	Attr mad.AttrID
	Err  error
}

// ErrBadTable is the cause of an Error when the reply is no table: records do not
// fit into the distance between them, or there is none.
var ErrBadTable = errors.New("the reply is no table of such records")

func wrap(m mad.Method, id mad.AttrID, err error) error {
	return &Error{Op: m.String(), Attr: id, Err: err}
}

// Error names the query and what the administration said: "subnet administration:
// GetTable NodeRecord: no records: …".
func (e *Error) Error() string {
	s := fmt.Sprintf("subnet administration: %s %s", e.Op, attr.Name(mad.ClassSubnAdm, e.Attr))
	var status mad.Status
	if errors.As(e.Err, &status) && sa.StatusText(status) != "" {
		s += ": " + sa.StatusText(status)
	}
	return s + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
