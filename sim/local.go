package sim

import (
	"github.com/ibscope/ibscope/mad"
)

// LocalAttribute is what the port's own node answers to a Get of an attribute
// of subnet management, asked by its driver rather than over the fabric: at
// once, without latency, loss or faults. With a status other than StatusOK the
// data is zero.
func (p *Port) LocalAttribute(attr mad.AttrID, modifier uint32) (data [mad.DataSize]byte, status mad.Status) {
	t := trip{sim: p.sim, node: p.at.node, in: p.at.num}
	if attr == attrSMInfo && !t.hasSM() {
		return data, mad.StatusUnsupportedAttr
	}
	q := query{sim: p.sim, node: p.at.node, in: p.at.num, modifier: modifier, data: &data}
	if status = q.get(attr); status != mad.StatusOK {
		data = [mad.DataSize]byte{}
	}
	return data, status
}

// Fabric is the fabric that the port belongs to.
func (p *Port) Fabric() *Fabric { return p.sim }
