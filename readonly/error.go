package readonly

import (
	"fmt"
	"os"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
)

// Error says what was refused. It is an os.ErrPermission.
type Error struct {
	Op     string // "send"
	Class  mad.Class
	Method mad.Method
	Attr   mad.AttrID
	To     mad.Addr
}

func (e *Error) Error() string {
	return fmt.Sprintf("readonly: %s of class %v, attribute %s, to LID %d was not sent: this program may only read",
		e.Method, e.Class, attr.Name(e.Class, e.Attr), e.To.LID)
}

// Unwrap gives os.ErrPermission.
func (e *Error) Unwrap() error { return os.ErrPermission }
