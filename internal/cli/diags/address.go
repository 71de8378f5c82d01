package diags

import (
	"errors"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// Target turns a destination operand into a target, as -D and -L say; Resolve
// does so for -G too. Like C, it takes the number that a LID begins with.
func (c *Common) Target(operand string) (mad.Target, error) {
	switch c.Address {
	case ByDirectRoute:
		path, err := ib.ParseDRPath(operand)
		return mad.ByPath(path), err
	case ByGUID:
		return mad.Target{}, errors.New("a destination by GUID needs a query to the subnet administration")
	}
	lid := LeadingInt(operand)
	if lid < 1 || lid > int64(ib.MaxUnicastLID) {
		return mad.Target{}, &ib.ParseError{Kind: "unicast LID, 1…49151", Text: operand}
	}
	return mad.ByLID(ib.LID(lid)), nil
}
