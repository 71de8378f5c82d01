package counterdump

import (
	"bytes"
	"strings"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// pmHeading reads the heading of a port in a .pm file:
//
//	node0008/P1 lid=0x0014 guid=0xb83fd20300000028 dev=4123
//	Port=1 Lid=0x00b4 GUID=0xb83fd20300000028 Device=4123 Port Name=node0008/U1/P1
func (d *reader) pmHeading(text []byte) bool {
	lower := bytes.ToLower(text)
	at := bytes.Index(lower, []byte(" lid=0x"))
	if at < 0 || !bytes.Contains(lower[at:], []byte(" guid=0x")) {
		return false
	}
	r := Record{Attribute: "pm"}
	lid, isLID := after(lower[at:], " lid=")
	guid, isGUID := after(lower[at:], " guid=")
	if !isLID || !isGUID || lid > 0xffff {
		return false
	}
	r.LID, r.PortGUID = ib.LID(lid), ib.GUID(guid)
	head := string(text[:at])
	if port, ok := strings.CutPrefix(head, "Port="); ok {
		c := lines.Cursor(port)
		if r.Port, ok = c.Uint(); !ok {
			return false
		}
	} else if i := strings.LastIndex(head, "/P"); i >= 0 {
		c := lines.Cursor(head[i+len("/P"):])
		num, _ := c.Uint()
		r.Name, r.Port = head[:i], num
	}
	if _, name, ok := bytes.Cut(text, []byte("Port Name=")); ok {
		r.Name = string(name)
	}
	if r.Port > AllPorts {
		return false
	}
	d.add(r)
	d.open, d.wide = true, false
	return true
}

// after is the hexadecimal number behind a key.
func after(text []byte, key string) (uint64, bool) {
	_, rest, _ := bytes.Cut(text, []byte(key))
	c := lines.Cursor(rest)
	return lines.Hex(c.Word())
}

// counterLine reads a counter on a line of its own: "Name:......12" of perfquery,
// "Name: 12" of LDMS, "name=0x0000000c" and "name = 0xc" of .pm files.
func (d *reader) counterLine(text []byte) bool {
	s := string(text)
	at := strings.IndexAny(s, ":=")
	if at <= 0 {
		return false
	}
	name := strings.TrimSpace(s[:at])
	if strings.ContainsAny(name, " \t\"") {
		return false
	}
	value := strings.TrimSpace(strings.TrimLeft(s[at+1:], "."))
	if value == "N/A" || value == "-1" {
		return d.open // the agent does not have it
	}
	n, ok := number(value)
	if !ok {
		return false
	}
	if !d.open {
		if name != "PortSelect" {
			return false
		}
		d.add(Record{})
		d.open, d.wide = true, false
	}
	r := &d.records[len(d.records)-1]
	switch name {
	case "PortSelect":
		if r.Attribute == "" && len(r.Values) > 0 { // without headings each attribute begins so
			d.add(Record{})
			r = &d.records[len(d.records)-1]
		}
		if r.Port == 0 {
			r.Port = int(min(n, AllPorts))
		}
	case "CounterSelect", "CounterSelect2":
	default:
		if !r.Add(name, n, d.wide) {
			d.problems.Bad(d.line, "more than %d counters of one port; this one is not read", MaxValues)
		}
	}
	return true
}
