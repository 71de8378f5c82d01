package format

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/cache"
	"github.com/ibscope/ibscope/format/counterdump"
	"github.com/ibscope/ibscope/format/dbcsv"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/guid2lid"
	"github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/format/lftdump"
	"github.com/ibscope/ibscope/format/netdump"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/format/subnetlst"
	"github.com/ibscope/ibscope/format/systopo"
	"github.com/ibscope/ibscope/ib"
)

// merger puts together what several files say.
type merger struct {
	set     *facts.Set
	systems *systopo.Systems
	out     Stored
}

// noLines is for formats that have no lines.
func noLines(ib.GUID, int) int { return 0 }

func addCache(s source, m *merger) error {
	f, err := cache.Read(s, s.name)
	if err != nil {
		return err
	}
	m.set.File(s.name).Fabric(f, &facts.Origin{Line: noLines})
	return nil
}

// addSnapshot leaves the counters of a snapshot out: who wants them reads it alone.
func addSnapshot(s source, m *merger) error {
	d, err := snapshot.Read(s, s.name)
	if err != nil {
		return err
	}
	m.set.File(s.name).Fabric(d.Fabric, &facts.Origin{Line: noLines})
	return nil
}

func addIbsim(s source, m *merger) error {
	f, err := readIbsim(s)
	if err != nil {
		return err
	}
	m.set.File(s.name).Fabric(f, &facts.Origin{Line: noLines, Template: true})
	return nil
}

func addText(s source, m *merger) error {
	f, where, err := ibnetdiscover.ReadLines(s, s.name)
	if err != nil {
		return err
	}
	m.set.File(s.name).Fabric(f, &facts.Origin{Line: where.Line, Inferred: true, ByPort: where.ByPort})
	return nil
}

func addDatabase(s source, m *merger) error {
	db, err := dbcsv.ReadInto(s, m.set.File(s.name))
	if err == nil {
		m.out.Counters = append(m.out.Counters, db.Counters...)
	}
	return err
}

func addLinkList(s source, m *merger) error { return subnetlst.ReadInto(s, m.set.File(s.name)) }

func addNetDump(s source, m *merger) error { return netdump.ReadInto(s, m.set.File(s.name)) }

func addLinks(s source, m *merger) error { return iblinkinfo.ReadInto(s, m.set.File(s.name)) }

func addCounters(s source, m *merger) error {
	records, problems, err := counterdump.Read(s, s.name)
	if err != nil {
		return err
	}
	m.out.Counters = append(m.out.Counters, records...)
	m.note(s, problems)
	return nil
}

func addLIDs(s source, m *merger) error {
	entries, problems, err := guid2lid.Read(s, s.name)
	if err != nil {
		return err
	}
	m.out.LIDs = append(m.out.LIDs, entries...)
	guid2lid.Tell(m.note(s, problems), entries)
	return nil
}

// addTables gives the tables to the switches that other files know.
func addTables(s source, m *merger) error {
	tables, err := lftdump.Read(s, s.name)
	if err != nil {
		return err
	}
	m.out.Tables = append(m.out.Tables, tables...)
	f := m.set.File(s.name)
	f.Later(func(find facts.Finder) {
		for i := range tables {
			t := &tables[i]
			end, ok := find(t.GUID)
			if !ok {
				f.Note(fabric.Problem{
					Kind: fabric.FilesDisagree, GUID: t.GUID, Port: -1, File: f.At(t.Line),
					Detail: "has a forwarding table here, but no other file knows the node",
				})
				continue
			}
			f.Table(t.Line, end.Node, t.Linear())
		}
	})
	return nil
}

func addSystems(s source, m *merger) error { return m.systems.Read(s, m.set.File(s.name)) }

func addPlan(s source, m *merger) error {
	f := m.set.File(s.name)
	if err := systemsBeside(s, m.set, m.systems); err != nil {
		return err
	}
	return systopo.ReadInto(s, f, m.systems)
}

// note keeps the problems of a file that tells no facts yet.
func (m *merger) note(s source, problems []fabric.Problem) *facts.File {
	f := m.set.File(s.name)
	for _, p := range problems {
		f.Note(p)
	}
	return f
}
