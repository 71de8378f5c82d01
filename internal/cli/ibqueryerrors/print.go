package ibqueryerrors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
)

// errors prints the counters of a port that are beyond their thresholds, and
// reports whether there are any.
func (r *report) errors(num int) bool {
	basic, extended := new(pma.PortCounters), new(pma.PortCountersExtended)
	if !r.read(basic, num, "print_errors", "IB_GSI_PORT_COUNTERS") {
		return false
	}
	if r.hasExtended && !r.read(extended, num, "print_errors", "IB_GSI_PORT_COUNTERS_EXT") {
		return false
	}
	if r.capMask&pma.CapXmitWait == 0 {
		basic.XmitWait = 0 // means nothing then
	}
	text := r.beyond(basic, extended, num)
	if text == "" {
		return false
	}
	if r.asked["data"] {
		text += r.dataOf(basic, extended, false)
	}
	if !r.headed {
		r.headed, r.isBad = true, true
		if r.node.Type() == ib.NodeSwitch {
			r.printf("Errors for 0x%x \"%s\"\n", uint64(r.guid(0)), r.name)
		} else {
			r.printf("Errors for \"%s\"\n", r.name)
		}
	}
	switch {
	case num != int(pma.AllPorts):
		r.printf("   GUID 0x%x port %d:%s\n", uint64(r.guid(num)), num, text)
		r.link(num)
		r.bad++
	case r.node.Type() == ib.NodeSwitch:
		r.printf("   GUID 0x%x port ALL:%s\n", uint64(r.guid(0)), text)
	}
	return true
}

// guid is that of a port, or what the node says if the port is not known.
func (r *report) guid(num int) ib.GUID {
	if p := r.node.Port(num); p != nil {
		return p.GUID()
	}
	return r.node.Info().PortGUID
}

// beyond is the text of the counters that are beyond their thresholds.
func (r *report) beyond(basic *pma.PortCounters, extended *pma.PortCountersExtended, num int) string {
	var b strings.Builder
	for _, name := range errorCounters {
		if slices.Contains(r.suppressed, name) {
			continue
		}
		n := value(basic, name)
		if r.additional {
			n = value(extended, name)
		}
		if n <= r.thresholds[name] {
			continue
		}
		if r.additional {
			fmt.Fprintf(&b, " [%s == %d (%s)]", name, n, human(n, false))
		} else {
			fmt.Fprintf(&b, " [%s == %d]", name, n)
		}
		if r.asked["details"] {
			b.WriteString(r.details(name, num))
		}
	}
	return b.String()
}

// details divides a counter by cause. C looks for the causes of one counter among
// those of the other.
func (r *report) details(name string, num int) string {
	var v counters
	what := ""
	switch name {
	case "PortXmitDiscards":
		v, what = new(pma.PortXmitDiscardDetails), "PortXmitDiscardDetails"
	case "PortRcvErrors":
		v, what = new(pma.PortRcvErrorDetails), "PortRcvErrorDetails"
	default:
		return ""
	}
	if !r.read(v, num, "query_and_dump", what) {
		return ""
	}
	text := ""
	for _, f := range v.Fields() {
		if n := value(v, f.C); f.Mask != 0 && n != 0 {
			text += fmt.Sprintf(" [%s == %d]", f.C, n)
		}
	}
	return text
}

// dataOf is the text of the data counters, of all or of those that are not 0.
func (r *report) dataOf(basic *pma.PortCounters, extended *pma.PortCountersExtended, all bool) string {
	var v field.Value = basic
	names := []string{"PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts"}
	if r.hasExtended {
		v = extended
	}
	if r.capMask&pma.CapExtendedWidth != 0 {
		names = append(names, "PortUnicastXmitPkts", "PortUnicastRcvPkts", "PortMulticastXmitPkts", "PortMulticastRcvPkts")
	}
	text := ""
	for i, name := range names {
		if n := value(v, name); all || n != 0 {
			text += fmt.Sprintf(" [%s == %d (%s)]", name, n, human(n, i < 2))
		}
	}
	return text
}

// data prints the data counters of a port, for --counters.
func (r *report) data(num int) {
	basic, extended := new(pma.PortCounters), new(pma.PortCountersExtended)
	if r.hasExtended && !r.read(extended, num, "print_data_cnts", "IB_GSI_PORT_COUNTERS_EXT") ||
		!r.hasExtended && !r.read(basic, num, "print_data_cnts", "IB_GSI_PORT_COUNTERS") {
		return
	}
	if !r.headed {
		r.headed = true
		r.printf("Data Counters for 0x%x \"%s\"\n", uint64(r.node.GUID()), r.name)
	}
	r.printf("   GUID 0x%x port %d:%s\n", uint64(r.node.GUID()), num, r.dataOf(basic, extended, true))
	r.link(num)
}
