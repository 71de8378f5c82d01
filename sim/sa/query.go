package sa

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/gs"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sm"
)

// maxTable bounds the length of an answer in bytes; longer ones are refused
// with StatusNoResources.
const maxTable = 64 << 20

// query is a request and the answer as it grows.
type query struct {
	*database
	subnet  *sm.Subnet
	request sim.Request
	packet  *mad.Packet
	events  []*gs.Notice // that came about, for others

	want   []byte // the record in the request, or all of a longer one
	mask   uint64
	filter []bits

	status  mad.Status
	records []byte
	size    int // of a record
	stride  int // from one record to the next
	count   int

	ways waysCache
}

// bits is a part of the record that must be as in the request.
type bits struct{ offset, width uint16 }

// run carries the request out: status and records are then the answer.
func (q *query) run() {
	m := q.packet
	if m.BaseVersion() != 1 || m.ClassVersion() != m.Class().Version() {
		q.status = mad.StatusBadVersion
		return
	}
	h, ok := handlers()[m.AttrID()]
	if !ok {
		q.status = mad.StatusUnsupportedAttr
		return
	}
	attr := h.attribute()
	if q.want == nil {
		q.want = m.Data()
	}
	q.want = append([]byte(nil), q.want...)
	for len(q.want) < len(m.Data()) {
		q.want = append(q.want, 0)
	}
	q.mask, q.size = m.CompMask(), attr.Size
	q.stride = adm.Stride(q.size)
	do := h.byMethod(m.Method())
	if do == nil {
		q.status = mad.StatusUnsupportedMethod
		if h.knowsMethod(m.Method()) {
			q.status = mad.StatusUnsupportedAttr
		}
		return
	}
	q.filter = filterOf(attr.Fields, q.mask)
	do(q)
	q.finish(m.Method())
}

// trustedKey is the SM_Key that opens what is not for everybody: OpenSM's
// default.
const trustedKey = 1

func (q *query) isTrusted() bool { return q.packet.SMKey() == trustedKey }

// finish checks the number of records against what a Get may have.
func (q *query) finish(method mad.Method) {
	switch {
	case q.status != mad.StatusOK:
	case method == mad.MethodGet && q.count == 0:
		q.status = adm.StatusNoRecords
	case method == mad.MethodGet && q.count > 1:
		q.status = adm.StatusTooManyRecords
	}
}

// filterOf lists the bits that the ComponentMask selects. Bits of the mask that
// stand for nothing are ignored.
func filterOf(fields field.Table, mask uint64) (list []bits) {
	for i := range fields {
		f := &fields[i]
		for n := range f.Elements() {
			e := f.Element(n)
			if e.Mask&mask != 0 && e.Flags&field.Alias == 0 {
				list = append(list, bits{e.Offset, e.Width})
			}
		}
	}
	return list
}

// has reports whether a component counts.
func (q *query) has(component uint64) bool { return q.mask&component != 0 }

// add appends a record if it is what the request wants. It reports false when
// the answer has become too long.
func (q *query) add(record []byte) bool {
	for _, b := range q.filter {
		if !equalBits(q.want, record, b) {
			return true
		}
	}
	return q.append(record)
}

// append adds a record without looking at it.
func (q *query) append(record []byte) bool {
	if len(q.records)+q.stride > maxTable {
		q.status = adm.StatusNoResources
		return false
	}
	start := len(q.records)
	q.records = append(q.records, record...)
	for len(q.records) < start+q.stride {
		q.records = append(q.records, 0)
	}
	q.count++
	return true
}

// equalBits compares part of two records. Most parts are whole bytes.
func equalBits(a, b []byte, part bits) bool {
	from, to := int(part.offset), int(part.offset)+int(part.width)
	if to > 8*len(a) || to > 8*len(b) {
		return false
	}
	first, last := from/8, (to-1)/8
	for i := first; i <= last; i++ {
		mask := byte(0xff)
		if i == first {
			mask &= 0xff >> (from % 8)
		}
		if i == last {
			mask &= 0xff << (7 - (to-1)%8)
		}
		if (a[i]^b[i])&mask != 0 {
			return false
		}
	}
	return true
}

// ports lists the ports that a query is about, whose records begin with their
// LID: all of them, or the one that has the LID in the request if that counts.
// Any LID of a port finds it.
func (q *query) ports() []sm.EndPort {
	if q.mask&1 == 0 {
		return q.subnet.Ports
	}
	p := q.subnet.ByLID(ib.LID(binary.BigEndian.Uint16(q.want)))
	if p == nil {
		return nil
	}
	binary.BigEndian.PutUint16(q.want, uint16(p.LID))
	return []sm.EndPort{*p}
}

// get reads an attribute of subnet management at a port.
func (q *query) get(at sim.Place, attr mad.AttrID, modifier uint32, data *[mad.DataSize]byte) bool {
	*data = [mad.DataSize]byte{}
	return q.manager.Fabric().Direct(at, mad.MethodGet, attr, modifier, data) == mad.StatusOK
}
