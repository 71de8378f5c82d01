package saquery

import (
	"encoding/json"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/sa"
)

// record is one row of a table as data.
type record struct {
	Record   string          `json:"record"`
	Fields   json.RawMessage `json:"fields"`
	NodeName string          `json:"node_name,omitempty"` // from the map; of a member of a group always
}

// item adds a row of a table to the document.
func (s *session) item(id mad.AttrID, row []byte) error {
	v, known, err := attr.Decode(mad.ClassSubnAdm, id, row)
	switch {
	case err != nil:
		return s.failed(err)
	case !known:
		return nil
	}
	return s.recordItem(v)
}

func (s *session) recordItem(v field.Value) error {
	return s.document.Item(record{
		Record: attr.Name(mad.ClassSubnAdm, v.AttrID()), Fields: s.Fields(v), NodeName: s.mappedName(v),
	})
}

// eachItem adds the rows of a table.
func eachItem[T any, P interface {
	*T
	field.Value
}](s *session, rows []T) error {
	for i := range rows {
		if err := s.recordItem(P(&rows[i])); err != nil {
			return err
		}
	}
	return nil
}

// mappedName is the name that the map has for the node of a record.
func (s *session) mappedName(v field.Value) string {
	node, isNode := v.(*sa.NodeRecord)
	if !isNode || s.names == nil {
		return ""
	}
	return s.nameOf(node)
}
