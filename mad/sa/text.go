package sa

import (
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
)

// Text prints records as saquery does. The zero value is saquery without options.
type Text struct {
	// ShowKeys prints M_Keys, ServiceKeys and queue pairs, which are secrets.
	ShowKeys bool

	// NodeName is the name of a node by its GUID and its description; nil stands
	// for the description.
	NodeName func(guid ib.GUID, desc []byte) string

	// CapMask2 is what the administration can do (ClassPortInfo.CapMask2); with
	// Cap2MulticastFDBTop a SwitchInfoRecord has one line more.
	CapMask2 uint32
}

const notDisplayed = "<not displayed>"

// Append appends the text of a record in wire form. A type of record that saquery
// does not print gives false; data that is too short is a *field.Error.
func (o *Text) Append(dst []byte, id mad.AttrID, row []byte) ([]byte, bool, error) {
	appendRecord := printers[id]
	if appendRecord == nil {
		return dst, false, nil
	}
	i := slices.IndexFunc(attributes[:], func(a field.Attribute) bool { return a.ID == id })
	if a := &attributes[i]; len(row) < a.Size {
		return dst, true, field.TooShort(a.Name, a.Size, len(row))
	}
	w := printer{dst}
	appendRecord(o, &w, row)
	return w.dst, true, nil
}

// printers print records by identifier. Their row is long enough.
var printers = map[mad.AttrID]func(*Text, *printer, []byte){
	AttrClassPortInfo:                  (*Text).classPortInfo,
	AttrNodeRecord:                     (*Text).nodeRecord,
	AttrPortInfoRecord:                 (*Text).portInfoRecord,
	AttrSLtoVLMappingTableRecord:       (*Text).slToVLRecord,
	AttrSwitchInfoRecord:               (*Text).switchInfoRecord,
	AttrLinearForwardingTableRecord:    (*Text).lftRecord,
	AttrMulticastForwardingTableRecord: (*Text).mftRecord,
	AttrSMInfoRecord:                   (*Text).smInfoRecord,
	AttrInformInfoRecord:               (*Text).informInfoRecord,
	AttrLinkRecord:                     (*Text).linkRecord,
	AttrGUIDInfoRecord:                 (*Text).guidInfoRecord,
	AttrServiceRecord:                  (*Text).serviceRecord,
	AttrPKeyTableRecord:                (*Text).pKeyRecord,
	AttrPathRecord:                     (*Text).pathRecord,
	AttrVLArbitrationTableRecord:       (*Text).vlArbRecord,
	AttrMCMemberRecord:                 (*Text).mcMemberRecord,
}

// printer collects lines.
type printer struct{ dst []byte }

// printf appends a line without dots.
func (w *printer) printf(format string, args ...any) {
	w.dst = fmt.Appendf(w.dst, format+"\n", args...)
}

// How far labels reach with their dots, by record.
const (
	narrow   = 22
	normal   = 24
	class    = 25
	tables   = 27
	switches = 40
)

const labelDots = "........................................"

// line appends two tabs, the label with dots up to width, and the value.
func (w *printer) line(width int, label, format string, args ...any) {
	w.dst = append(append(append(w.dst, "\t\t"...), label...), labelDots[:max(0, width-len(label))]...)
	w.printf(format, args...)
}

// lines appends lines of the same format and width: label and value in turn.
func (w *printer) lines(width int, format string, labelsAndValues ...any) {
	for i := 0; i+1 < len(labelsAndValues); i += 2 {
		w.line(width, labelsAndValues[i].(string), format, labelsAndValues[i+1])
	}
}

// entries appends a line of values between bars.
func (w *printer) entries(label string, values []uint8) {
	w.dst = append(append(w.dst, "\t\t"...), label...)
	for _, v := range values {
		w.dst = fmt.Appendf(w.dst, "%2d|", v)
	}
	w.dst = append(w.dst, '\n')
}

// nodeName is the name of a node, made fit for output.
func (o *Text) nodeName(guid ib.GUID, desc []byte) string {
	if o.NodeName != nil {
		return o.NodeName(guid, desc)
	}
	return string(field.AppendPrintable(nil, desc))
}
