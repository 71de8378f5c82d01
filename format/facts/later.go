package facts

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Finder finds the node that has a port GUID, or whose own GUID it is.
type Finder func(portGUID ib.GUID) (End, bool)

// Later defers what a file tells until all files are read: for formats that know
// port GUIDs only, and cannot say to which node they belong.
func (f *File) Later(tell func(find Finder)) {
	f.set.later = append(f.set.later, tell)
}

// LIDOf tells the LIDs of the port with a GUID, whichever node has it.
func (f *File) LIDOf(line int, portGUID ib.GUID, fact *Fact) {
	if f.orphans == nil {
		f.orphans = new(tally)
		f.set.last = append(f.set.last, f.countOrphans)
	}
	kept := *fact
	f.Later(func(find Finder) {
		end, ok := find(portGUID)
		if !ok {
			f.orphans.add(line, portGUID)
			return
		}
		f.Port(line, end.Node, end.Port, &kept)
	})
}

// tally counts lines that have something in common.
type tally struct {
	count, line int
	guid        ib.GUID
}

func (t *tally) add(line int, guid ib.GUID) {
	if t.count++; t.count == 1 {
		t.line, t.guid = line, guid
	}
}

func (f *File) countOrphans() {
	t := f.orphans
	if t.count == 0 {
		return
	}
	detail := "is no port GUID of a node that another file knows"
	if t.count > 1 {
		detail += fmt.Sprintf(", nor are %d more of this file", t.count-1)
	}
	f.Note(fabric.Problem{Kind: fabric.FilesDisagree, GUID: t.guid, Port: -1, File: f.At(t.line), Detail: detail})
}

// resolve runs what was deferred.
func (s *Set) resolve() {
	owners := make(map[ib.GUID]End)
	for _, n := range s.order {
		if guid := ib.GUID(fieldPortGUID.Uint(n.info.told.data[:])); guid != 0 && n.isSwitch() {
			owners[guid] = End{n.guid, 0}
		}
		for num, p := range n.ports {
			if p != nil && p.guid != 0 {
				owners[p.guid] = End{n.guid, num}
			}
		}
	}
	find := func(portGUID ib.GUID) (End, bool) {
		if end, ok := owners[portGUID]; ok {
			return end, true
		}
		n, ok := s.nodes[portGUID]
		switch {
		case !ok:
			return End{}, false
		case n.isSwitch():
			return End{n.guid, 0}, true
		}
		return End{n.guid, n.firstPort()}, true
	}
	for _, tell := range s.later {
		tell(find)
	}
	for _, done := range s.last {
		done()
	}
}
