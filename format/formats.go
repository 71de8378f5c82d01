package format

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
)

// source is what a reader gets: the whole stream, its name, and whether the
// name is that of a file, beside which others may be found.
type source struct {
	io.Reader
	name       string
	isFile     bool
	compressed bool
}

// form is a format that can be read.
type form struct {
	kind Kind
	name string // for messages
	is   func(prefix []byte) bool
	// read reads the text alone; nil for what has no graph.
	read func(source, *Document) error
	// add tells what the text says together with others.
	add func(source, *merger) error
}

// formats are the formats that can be read, in the order in which they are
// tried: what leaves no doubt first.
var formats = []form{
	{Cache, "cache file of ibnetdiscover --cache", isCache, onlyFabric(readCache), addCache},
	{Snapshot, "snapshot of ibscope", snapshot.Recognise, readSnapshot, addSnapshot},
	{Database, "database of ibdiagnet (.db_csv)", anyLine(isDatabaseLine), onlyFabric(readDatabase), addDatabase},
	{LinkList, "list of links of OpenSM or ibdiagnet (.lst)", anyLine(isLinkListLine), onlyFabric(readLinkList), addLinkList},
	{NetDump, "table of ports of ibdiagnet (.net_dump)", anyLine(isNetDumpLine), onlyFabric(readNetDump), addNetDump},
	{Links, "output of iblinkinfo", anyLine(isLinkLine), onlyFabric(readLinks), addLinks},
	{Counters, "output of perfquery or ibqueryerrors, or .pm of ibdiagnet", anyLine(isCounterLine), nil, addCounters},
	{Tables, "dump of forwarding tables (dump_fts, OpenSM, .fdbs)", anyLine(isTableLine), nil, addTables},
	{LIDs, "guid2lid of OpenSM", anyLine(isLIDLine), nil, addLIDs},
	{Systems, "definition of systems (.ibnl of ibutils)", anyLine(isSystemLine), nil, addSystems},
	{Ibsim, "topology for ibsim", anyLine(isIbsimLine), onlyFabric(readIbsim), addIbsim},
	{Topology, "topology of ibnetdiscover or ibdiagnet", anyLine(isTopologyLine), onlyFabric(readText), addText},
	{Ports, "ports report of ibnetdiscover -p", anyLine(isReportLine), onlyFabric(readText), addText},
	{List, "list of ibnetdiscover -l, ibswitches or ibhosts", anyLine(isListLine), onlyFabric(readText), addText},
	{Progress, "topology of ibnetdiscover -s", anyLine(isProgressLine), onlyFabric(readText), addText},
	{Plan, "topology of systems (.topo of ibutils)", anyLine(isPlanLine), onlyFabric(readPlan), addPlan},
}

func readSnapshot(s source, d *Document) (err error) {
	if d.Snapshot, err = snapshot.Read(s, s.name); err == nil {
		d.Fabric = d.Snapshot.Fabric
	}
	return err
}

// onlyFabric is the reader of a format whose files hold a fabric and nothing else.
func onlyFabric(read func(source) (*fabric.Fabric, error)) func(source, *Document) error {
	return func(s source, d *Document) (err error) {
		d.Fabric, err = read(s)
		return err
	}
}

// cacheMagic are the first four bytes of a cache file, little-endian.
const cacheMagic = 0x8FE7832B

func isCache(prefix []byte) bool {
	return len(prefix) >= 4 && binary.LittleEndian.Uint32(prefix) == cacheMagic
}

// anyLine looks for a line that only one format has. Text files may begin with
// anything: a shell prompt, errors of the sweep, comments.
func anyLine(is func(line []byte) bool) func([]byte) bool {
	return func(prefix []byte) bool {
		prefix = bytes.TrimPrefix(prefix, []byte("\ufeff"))
		for line := range bytes.Lines(prefix) {
			if is(bytes.TrimSpace(line)) {
				return true
			}
		}
		return false
	}
}

// startsWith reports whether a line starts with one of the words.
func startsWith(line []byte, words ...string) bool {
	for _, w := range words {
		if len(line) >= len(w) && string(line[:len(w)]) == w {
			return true
		}
	}
	return false
}

// headerID is the id of a node header: Switch 36 "S-0002c90300000010".
func headerID(line []byte) ([]byte, bool) {
	if !startsWith(line, "Switch", "Ca", "Hca", "Rt") {
		return nil, false
	}
	head, rest, _ := bytes.Cut(line, []byte(`"`))
	id, _, ok := bytes.Cut(rest, []byte(`"`))
	return id, ok && bytes.ContainsAny(head, "0123456789") && !bytes.ContainsRune(head, ':')
}

// isIbsimLine is for what ibnetdiscover never prints: keywords of ibsim alone,
// and ids that people made up.
func isIbsimLine(line []byte) bool {
	if startsWith(line, "module=", "include ", "include\t", "width=", "speed=", "extspeed=", "do ", "@[", "pdebug=",
		"switchguid+", "caguid+", "rtguid+", "hcaguids=", "hcaguids+") {
		return true
	}
	id, ok := headerID(line)
	return ok && !startsWith(id, "S-", "H-", "R-")
}

func isTopologyLine(line []byte) bool {
	_, ok := headerID(line)
	return ok || startsWith(line, "# Topology file", "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=")
}

func isReportLine(line []byte) bool {
	return startsWith(line, "SW ", "CA ", "RT ") && bytes.Contains(line, []byte(" 0x"))
}

func isListLine(line []byte) bool {
	return startsWith(line, "Switch", "Ca", "Router", "Rt") && bytes.Contains(line, []byte(": 0x"))
}

func isProgressLine(line []byte) bool {
	return startsWith(line, "DR path ", "Lid ") && bytes.Contains(line, []byte(" -> "))
}
