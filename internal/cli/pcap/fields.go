package pcap

import (
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/mad/field"
)

// fieldsOf finds the fields of the attribute in a MAD, and its data; none where the
// data says nothing: in requests to read, but for the fields that a query of subnet
// administration gives; in replies that refuse; in the further segments of a
// table. Of a table it is the first record.
func (s *settings) fieldsOf(p *mad.Packet) (field.Table, []byte) {
	a, ok := attr.Lookup(p.Class(), p.AttrID())
	if !ok || !hasData(p) {
		return nil, nil
	}
	data := p.Data()
	if len(data) < a.Size {
		return nil, nil
	}
	table := a.Fields
	if !s.showKeys {
		table = table.Public()
	}
	if isQuery(p) {
		table = selected(table, p.CompMask())
	}
	return table, data[:a.Size]
}

func hasData(p *mad.Packet) bool {
	if p.IsRMPP() && (p.RMPP().Type != mad.RMPPData || p.RMPP().Data1 > 1) {
		return false
	}
	if p.IsResponse() {
		return p.Status() == mad.StatusOK
	}
	return p.Method() != mad.MethodGet || isQuery(p)
}

// isQuery reports whether p asks subnet administration for what fits some fields.
func isQuery(p *mad.Packet) bool {
	return p.Class() == mad.ClassSubnAdm && !p.IsResponse() && p.Method() != mad.MethodSet
}

// selected are the fields whose bits are in a ComponentMask.
func selected(t field.Table, mask uint64) field.Table {
	var some field.Table
	for i := range t {
		if t[i].Mask&mask != 0 {
			some = append(some, t[i])
		}
	}
	return some
}
