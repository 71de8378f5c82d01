package sa

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/sm"
)

// guidsPerBlock is the size of a GUIDInfoRecord.
const guidsPerBlock = 8

// setAliases gives a port alias GUIDs: those that the components select, and
// where these are 0 others, which the manager chooses. The answer has the whole
// block.
func (q *query) setAliases() {
	q.changeAliases(func(p *sm.EndPort, index int, guid ib.GUID) error {
		if guid == 0 {
			guid = q.manager.NewAlias()
		}
		return q.manager.SetAlias(q.subnet, p.Place, index, guid)
	})
}

// removeAliases takes those away that the components select.
func (q *query) removeAliases() {
	q.changeAliases(func(p *sm.EndPort, index int, _ ib.GUID) error {
		return q.manager.SetAlias(q.subnet, p.Place, index, 0)
	})
}

func (q *query) changeAliases(change func(p *sm.EndPort, index int, guid ib.GUID) error) {
	var w adm.GUIDInfoRecord
	w.Decode((*[72]byte)(q.want))
	const needed = adm.CompGUIDInfoRecordLID | adm.CompGUIDInfoRecordBlock
	if q.mask&needed != needed || q.mask&adm.CompGUIDInfoRecordGUIDs == 0 {
		q.status = adm.StatusFewComponents
		return
	}
	p := q.subnet.ByLID(w.LID)
	if p == nil {
		q.status = adm.StatusNoRecords
		return
	}
	before := q.manager.Aliases(p.Place)
	for i := range guidsPerBlock {
		if q.mask>>(firstGUID+i)&1 == 0 {
			continue
		}
		if err := change(p, int(w.Block)*guidsPerBlock+i, w.GUIDs[i]); err != nil {
			q.status = adm.StatusRequestInvalid
			break
		}
	}
	q.tellAliases(p, int(w.Block), before)
	if q.status != mad.StatusOK {
		return
	}
	q.filter = nil
	q.tableRecord(p, smp.AttrGUIDInfo, uint32(w.Block), func(r []byte) { r[2] = w.Block })
}

// firstGUID is the bit of the first GUID among the components.
const firstGUID = 4

// tellAliases makes the notices of GIDs that have come and gone with a block.
func (q *query) tellAliases(p *sm.EndPort, block int, before map[int]ib.GUID) {
	now := q.manager.Aliases(p.Place)
	for i := block * guidsPerBlock; i < (block+1)*guidsPerBlock; i++ {
		if before[i] == now[i] {
			continue
		}
		if before[i] != 0 {
			q.events = append(q.events, q.subnet.Notice(smp.TrapGIDOutOfService, ib.GIDFrom(q.subnet.Prefix, before[i])))
		}
		if now[i] != 0 {
			q.events = append(q.events, q.subnet.Notice(smp.TrapGIDInService, ib.GIDFrom(q.subnet.Prefix, now[i])))
		}
	}
}
