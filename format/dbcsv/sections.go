package dbcsv

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/format/counterdump"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// kind is a section that is read.
type kind struct {
	needs  []string
	column func(name string) (column, bool)
	tell   func(*reader, *values)
}

func kindOf(section string) *kind {
	switch section {
	case "NODES":
		return &kind{[]string{"NodeGUID"}, nodeColumn, tellNode}
	case "PORTS":
		return &kind{[]string{"NodeGuid", "PortNum"}, portColumn, tellPort}
	case "SWITCHES":
		return &kind{[]string{"NodeGUID"}, switchColumn, tellSwitch}
	case "LINKS":
		return &kind{[]string{"NodeGuid1", "PortNum1", "NodeGuid2", "PortNum2"}, linkColumn, tellLink}
	case "EXTENDED_PORT_INFO":
		return &kind{[]string{"NodeGuid", "PortNum"}, extendedColumn, tellExtended}
	case "GENERAL_INFO_SMP":
		return &kind{[]string{"NodeGUID"}, firmwareColumn, tellFirmware}
	case "PM_INFO":
		return &kind{[]string{"NodeGUID", "PortNumber"}, counterColumn, tellCounters}
	case "INDEX_TABLE":
		return &kind{[]string{"Name", "Rows"}, indexColumn, checkIndex}
	}
	return nil
}

func nodeColumn(name string) (column, bool) {
	upper := strings.ToUpper(name)
	c := column{name: name}
	switch upper {
	case "NODEGUID", "PORTGUID":
		c.take, _ = identity(upper)
		return c, true
	case "NODEDESC":
		c.take = func(v *values, text string) bool { v.desc = text; return true }
		return c, true
	case "LOCALPORTNUM":
		c.take = numInto(func(v *values) *int { return &v.localPort })
		return c, true
	}
	f, ok := fieldsOf(new(smp.NodeInfo).Fields(), nil, upper)
	c.take = into(f)
	if upper == "NODETYPE" {
		c.take = func(v *values, text string) bool {
			n, ok := number(text, 8)
			if ok {
				v.typ = ib.NodeType(n)
				v.fact.Set(f, n)
			}
			return ok
		}
	}
	return c, ok
}

func tellNode(d *reader, v *values) {
	if v.node == 0 {
		d.Bad(v.line, "a node with the GUID 0 is left out")
		return
	}
	if v.typ == ib.NodeSwitch {
		v.fact.Set(facts.NodeField("PortGUID"), uint64(v.port))
	} else if v.localPort > 0 {
		d.PortGUID(v.line, v.node, v.localPort, v.port)
	}
	d.Node(v.line, v.node, &v.fact)
	var local facts.Fact
	local.Set(facts.NodeField("LocalPort"), uint64(v.localPort))
	d.GuessNode(v.line, v.node, &local)
	d.Describe(v.line, v.node, v.desc)
}

// portNames are the columns of PORTS whose names differ from those of package smp.
var portNames = map[string]string{
	"GIDPRFX": "GIDPrefix", "MSMLID": "SMLID", "CAPMSK": "CapMask", "CAPMSK2": "CapMask2", "M_KEYLEASEPERIOD": "MKeyLeasePeriod",
	"LINKWIDTHACTV": "LinkWidthActive", "LINKWIDTHSUP": "LinkWidthSupported", "LINKWIDTHEN": "LinkWidthEnabled",
	"MKEYPROTBITS": "MKeyProtect", "LINKDOWNDEFSTATE": "LinkDownDefault", "PORTPHYSTATE": "PhysState", "PORTSTATE": "State",
	"MSMSL": "SMSL", "NMTU": "NeighborMTU", "FILTERRAWOUTB": "FilterRawOutbound", "FILTERRAWINB": "FilterRawInbound",
	"PARTENFOUTB": "PartEnforceOutbound", "PARTENFINB": "PartEnforceInbound", "OPVLS": "OperationalVLs",
	"VLSTALLCNT": "VLStallCount", "SUBNTMO": "SubnetTimeout", "MULTICASTPKEYTRAPSUPPRESSIONENABLED": "McastPKeyTrapSuppress",
	"OVERRUNERRS": "OverrunErrors", "LOCALPHYERROR": "LocalPhyErrors",
}

func portColumn(name string) (column, bool) {
	upper := strings.ToUpper(name)
	c := column{name: name}
	if take, ok := identity(upper); ok {
		c.take = take
		return c, true
	}
	set := map[string]func(*values) *ib.LinkSpeed{
		"LINKSPEEDACTV": func(v *values) *ib.LinkSpeed { return &v.speed },
		"LINKSPEEDSUP":  func(v *values) *ib.LinkSpeed { return &v.supported },
		"LINKSPEEDEN":   func(v *values) *ib.LinkSpeed { return &v.enabled },
	}
	if to, ok := set[upper]; ok {
		c.take = func(v *values, text string) bool {
			s, ok := speeds(text)
			*to(v) = s
			return ok
		}
		return c, true
	}
	if upper == "LOCALPORTNUM" {
		return c, false // depends on the way that the request took
	}
	f, ok := fieldsOf(new(smp.PortInfo).Fields(), portNames, upper)
	c.take = into(f)
	return c, ok
}

func tellPort(d *reader, v *values) {
	v.speed = v.speed.Max() // the fields tell the speeds in use side by side
	v.link()
	d.Port(v.line, v.node, v.num, &v.fact)
	d.PortGUID(v.line, v.node, v.num, v.port)
	if v.fdr10 {
		d.FDR10(v.line, v.node, v.num)
	}
}

func switchColumn(name string) (column, bool) {
	upper := strings.ToUpper(name)
	c := column{name: name}
	if take, ok := identity(upper); ok {
		c.take = take
		return c, true
	}
	f, ok := fieldsOf(new(smp.SwitchInfo).Fields(), map[string]string{
		"MCASTFDBCAP": "MulticastFDBCap", "DEFPORT": "DefaultPort", "DEFMCASTPRIPORT": "DefaultMcastPrimary",
		"DEFMCASTNOTPRIPORT": "DefaultMcastOther", "LIFETIMEVALUE": "LifeTime", "OPTIMIZEDSLVLMAPPING": "OptimizedSLtoVL",
		"PARTENFCAP": "PartitionEnforceCap", "INBENFCAP": "InboundPartEnforce", "OUTBENFCAP": "OutboundPartEnforce",
		"FILTERRAWINBCAP": "FilterRawInbound", "FILTERRAWOUTBCAP": "FilterRawOutbound", "ENP0": "EnhancedPort0",
		"MCASTFDBTOP": "MulticastFDBTop",
	}, upper)
	c.take = into(f)
	return c, ok
}

func tellSwitch(d *reader, v *values) { d.Switch(v.line, v.node, &v.fact) }

func linkColumn(name string) (column, bool) {
	take, ok := identity(strings.ToUpper(name))
	return column{name: name, take: take}, ok
}

func tellLink(d *reader, v *values) {
	if v.node == 0 || v.far.Node == 0 {
		d.Bad(v.line, "a link of a node with the GUID 0 is left out")
		return
	}
	d.Link(v.line, facts.End{Node: v.node, Port: v.num}, v.far)
}

func extendedColumn(name string) (column, bool) {
	upper := strings.ToUpper(name)
	if upper == "LINKSPEEDACTIVE" {
		return column{name: name, take: func(v *values, text string) bool {
			n, ok := number(text, 8)
			v.fdr10 = uint8(n)&smp.FDR10 != 0
			return ok
		}}, true
	}
	take, ok := identity(upper)
	return column{name: name, take: take}, ok
}

func tellExtended(d *reader, v *values) {
	if v.fdr10 {
		d.FDR10(v.line, v.node, v.num)
	}
}

func firmwareColumn(name string) (column, bool) {
	upper := strings.ToUpper(name)
	for i, part := range []string{"FWINFO_EXTENDED_MAJOR", "FWINFO_EXTENDED_MINOR", "FWINFO_EXTENDED_SUBMINOR"} {
		if upper == part {
			return column{name: name, take: func(v *values, text string) (ok bool) {
				v.firmware[i], ok = number(text, 32)
				return ok
			}}, true
		}
	}
	take, ok := identity(upper)
	return column{name: name, take: take}, ok
}

func tellFirmware(d *reader, v *values) {
	if v.firmware != [3]uint64{} {
		d.Firmware(v.line, v.node, fmt.Sprintf("%d.%d.%d", v.firmware[0], v.firmware[1], v.firmware[2]))
	}
}

func counterColumn(name string) (column, bool) {
	c := column{name: name}
	if take, ok := identity(strings.ToUpper(name)); ok {
		c.take = take
		return c, true
	}
	c.take = func(v *values, text string) bool {
		n, ok := number(text, 64)
		if ok {
			v.counters = append(v.counters, counter{name, n})
		}
		return ok
	}
	return c, true
}

func tellCounters(d *reader, v *values) {
	if len(d.db.Counters) >= counterdump.MaxRecords {
		d.Bad(v.line, "more counters than a fabric has; this row is not read")
		return
	}
	r := counterdump.Record{
		File: d.Name(), Line: v.line, NodeGUID: v.node, PortGUID: v.port, Port: v.num, Attribute: "PM_INFO",
	}
	for _, c := range v.counters {
		r.Add(c.name, c.n, false)
	}
	d.db.Counters = append(d.db.Counters, r)
}
