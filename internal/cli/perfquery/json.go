package perfquery

import (
	"encoding/json"
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
)

// document is what perfquery found out and did.
type document struct {
	Destination diags.Destination `json:"destination"`
	CapMask     string            `json:"cap_mask"`
	CapMask2    string            `json:"cap_mask2"`
	Counters    []counterSet      `json:"counters"`
	Resets      []resetSet        `json:"resets,omitempty"`
	Planned     []*diags.Plan     `json:"planned,omitempty"` // with --dry-run
}

// counterSet is the counters of one port, or the sums over all.
type counterSet struct {
	Port      uint8           `json:"port"` // 255 for the sums
	Attribute string          `json:"attribute"`
	Values    json.RawMessage `json:"values"`
	XmitBytes *uint64         `json:"xmit_bytes,omitempty"`
	RcvBytes  *uint64         `json:"rcv_bytes,omitempty"`
	Saturated []string        `json:"saturated,omitempty"` // stand at their ends: the true values may be higher
}

// resetSet is counters of one port that were set to 0.
type resetSet struct {
	Port      uint8    `json:"port"`
	Attribute string   `json:"attribute"`
	Counters  []string `json:"counters"`
}

func (q *query) document() *document {
	return &document{
		Destination: diags.DestinationOf(q.to),
		CapMask:     fmt.Sprintf("0x%04x", q.capMask), CapMask2: fmt.Sprintf("0x%07x", q.capMask2),
		Counters: append([]counterSet{}, q.counters...), Resets: q.resets, Planned: q.planned,
	}
}

// noteCounters keeps counters for the document.
func (q *query) noteCounters(v counters, port uint8) {
	data, err := v.AppendBinary(nil)
	if err != nil || !q.JSON {
		return
	}
	fields := q.there(v)
	set := counterSet{Port: port, Attribute: attr.Name(mad.ClassPerf, v.AttrID()), Values: fields.AppendJSON(nil, data)}
	for i := range fields {
		if f := &fields[i]; f.Mask != 0 && f.Count == 0 && f.Width < 64 && f.UintAt(data, 0) == 1<<f.Width-1 {
			set.Saturated = append(set.Saturated, f.JSON)
		}
	}
	set.XmitBytes, set.RcvBytes = bytesOf(v)
	q.counters = append(q.counters, set)
}

// bytesOf is the data that passed a port, which agents count in words of 4 bytes.
func bytesOf(v counters) (xmit, rcv *uint64) {
	var x, r uint64
	switch c := v.(type) {
	case *pma.PortCounters:
		x, r = uint64(c.XmitData), uint64(c.RcvData)
	case *pma.PortCountersExtended:
		x, r = c.XmitData, c.RcvData
	default:
		return nil, nil
	}
	if x < 1<<62 {
		x *= 4
		xmit = &x
	}
	if r < 1<<62 {
		r *= 4
		rcv = &r
	}
	return xmit, rcv
}

// there is the fields of v that mean something: not those that select, nor
// counters that the agent does not have.
func (q *query) there(v counters) field.Table {
	all := v.Fields()
	if x, ok := v.(*pma.PortCountersExtended); ok {
		all = q.extendedFields(x.Fields())
	}
	var fields field.Table
	for i := range all {
		switch all[i].Go {
		case "PortSelect", "CounterSelect", "CounterSelect2":
			continue
		case "XmitWait":
			if !q.has(pma.CapXmitWait) {
				continue
			}
		case "QP1Dropped":
			if !q.has(pma.CapQP1Dropped) {
				continue
			}
		}
		fields = append(fields, all[i])
	}
	return fields
}

// noteReset keeps which counters of v, those in mask, were reset.
func (q *query) noteReset(v counters, port uint8, mask uint64) {
	if !q.JSON {
		return
	}
	set := resetSet{Port: port, Attribute: attr.Name(mad.ClassPerf, v.AttrID()), Counters: []string{}}
	for _, f := range q.there(v) {
		if f.Mask&mask != 0 {
			set.Counters = append(set.Counters, f.JSON)
		}
	}
	q.resets = append(q.resets, set)
}
