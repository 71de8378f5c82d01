package ibqueryerrors

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
)

// text is what C prints of a node.
func (c *collection) text(r *report) []byte {
	var out bytes.Buffer
	if r.onlyData {
		c.dataText(&out, r)
		return out.Bytes()
	}
	if !r.isBad() {
		return nil
	}
	if r.node.Type() == ib.NodeSwitch {
		fmt.Fprintf(&out, "Errors for 0x%x \"%s\"\n", uint64(portGUID(r.node, 0)), r.name)
	} else {
		fmt.Fprintf(&out, "Errors for \"%s\"\n", r.name)
	}
	if r.sums != nil && r.node.Type() == ib.NodeSwitch {
		fmt.Fprintf(&out, "   GUID 0x%x port ALL:%s\n", uint64(portGUID(r.node, 0)), c.errorsText(r.sums))
	}
	for _, s := range r.ports {
		fmt.Fprintf(&out, "   GUID 0x%x port %d:%s\n", uint64(portGUID(r.node, s.Num)), s.Num, c.errorsText(s))
		out.WriteString(c.linkText(s))
	}
	return out.Bytes()
}

// dataText are the data counters, for --counters.
func (c *collection) dataText(out *bytes.Buffer, r *report) {
	for i, s := range r.ports {
		if i == 0 {
			fmt.Fprintf(out, "Data Counters for 0x%x \"%s\"\n", uint64(r.node.GUID()), r.name)
		}
		fmt.Fprintf(out, "   GUID 0x%x port %d:%s\n", uint64(r.node.GUID()), s.Num, trafficText(s, true))
		out.WriteString(c.linkText(s))
	}
}

// portGUID is that of a port, or what the node says if the port is not known.
func portGUID(n *fabric.Node, num int) ib.GUID {
	if p := n.Port(num); p != nil {
		return p.GUID()
	}
	return n.Info().PortGUID
}

// errorsText are the counters that are beyond their thresholds.
func (c *collection) errorsText(s *counters.Sample) string {
	var b strings.Builder
	for counter := range c.beyond(s).All() {
		n := s.Values[counter]
		if s.Agent.Additional() {
			fmt.Fprintf(&b, " [%s == %d (%s)]", counter, n, human(n, false))
		} else {
			fmt.Fprintf(&b, " [%s == %d]", counter, n)
		}
		for _, d := range details(s, counter) {
			fmt.Fprintf(&b, " [%s == %d]", d.name, d.value)
		}
	}
	if c.asked["data"] {
		b.WriteString(trafficText(s, false))
	}
	return b.String()
}

// detail is a part of a counter, by its cause.
type detail struct {
	name, field string
	value       uint64
}

// details divides a counter by cause, where that was read; causes that were not
// seen are left out. C looks for the causes of one counter among those of the
// other.
func details(s *counters.Sample, c counters.Counter) []detail {
	var v field.Value
	switch c {
	case counters.XmitDiscards:
		v = new(pma.PortXmitDiscardDetails)
	case counters.RcvErrors:
		v = new(pma.PortRcvErrorDetails)
	default:
		return nil
	}
	if !s.Read(v) {
		return nil
	}
	data, err := v.AppendBinary(nil)
	if err != nil {
		return nil
	}
	var list []detail
	for _, f := range v.Fields() {
		if n := f.Uint(data); f.Mask != 0 && n != 0 {
			list = append(list, detail{f.C, f.JSON, n})
		}
	}
	return list
}

// trafficText are the data counters, all of them or those that are not 0.
func trafficText(s *counters.Sample, all bool) string {
	var b strings.Builder
	data := []counters.Counter{counters.XmitData, counters.RcvData}
	for c := range (s.Has & counters.Traffic).All() {
		if n := s.Values[c]; all || n != 0 {
			fmt.Fprintf(&b, " [%s == %d (%s)]", c, n, human(n, slices.Contains(data, c)))
		}
	}
	return b.String()
}

// linkText is the link of a port, for -r.
func (c *collection) linkText(s *counters.Sample) string {
	p := s.Port()
	if p == nil || !c.asked["report-port"] {
		return ""
	}
	remote := format.NoRemote
	if p.Remote() != nil {
		remote = format.Remote(p, c.names)
	}
	return fmt.Sprintf("       Link info: %6d%4d[%2s] ==%s==>  %s\n", p.LID(), s.Num, format.External(p), format.State(p), remote)
}
