package survey

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/madrpc/resolve"
	"github.com/ibscope/ibscope/saclient"
)

// queriesAtOnce is how many tables of paths the manager is asked for at the same time.
// It makes one after the other; the second keeps it at work.
const queriesAtOnce = 2

// maxSilent is how many queries in a row may fail before the manager is given up.
const maxSilent = 3

// asked is a LID whose paths are asked for.
type asked struct {
	port  *fabric.Port
	lid   ib.LID
	twice bool
}

// askedTwice is how many LIDs, at most, are asked about twice: a manager may choose
// among service levels anew each time, as OpenSM's dfsssp does.
const askedTwice = 32

// pathReader asks for the paths of one LID after the other.
type pathReader struct {
	*laneReader
	manager *saclient.Client
	top     ib.LID

	mu     sync.Mutex
	silent int // queries that failed since the last that did not
	missed int // not asked any more
	told   int // tables that were read
	short  int // those of them with as many records as a packet has
}

// ErrCutTables is the cause when all tables of paths end with their first packet: on
// the way from the manager there is no RMPP, as with ibsim and umad2sim.
var ErrCutTables = errors.New("all tables end after one packet; there is no RMPP on the way")

// recordsOfPacket is how many PathRecords the first packet of a table has.
const recordsOfPacket = 3

// readPaths asks for the paths of all sources.
func (r *laneReader) readPaths(ctx context.Context, f *fabric.Fabric, o *LaneOptions) error {
	self, err := resolve.Self(ctx, r.client)
	if err != nil {
		return err
	}
	if !self.Port.SMLID.IsUnicast() {
		return resolve.ErrNoManager
	}
	to := mad.Target{LID: self.Port.SMLID, SL: self.Port.SMSL}
	p := &pathReader{laneReader: r, top: topLID(f), manager: saclient.New(r.client, to, &saclient.Options{SMKey: o.SMKey})}
	var all []asked
	for _, port := range r.needs.Sources {
		for i := range 1 << port.LMC() {
			if lid := port.LID() + ib.LID(i); lid.IsUnicast() {
				all = append(all, asked{port: port, lid: lid})
			}
		}
	}
	if len(all)*(int(p.top)+1) > MaxLanePairs {
		return fmt.Errorf("%w: %d sources and %d LIDs", ErrTooManyPaths, len(all), p.top)
	}
	for i := 0; i < len(all); i += (len(all) + askedTwice - 1) / askedTwice {
		all[i].twice = true
	}
	p.askAll(ctx, all)
	if p.told > 0 && p.told == p.short && len(all) > recordsOfPacket {
		r.lanes = &route.LaneTables{}
		return ErrCutTables
	}
	if p.missed > 0 {
		r.problem(&fabric.Problem{
			Kind: fabric.NotFinished, Port: -1, Class: mad.ClassSubnAdm, Attr: sa.AttrPathRecord,
			Detail: fmt.Sprintf("the paths of %d more LIDs were not asked for", p.missed),
		})
	}
	return ended(ctx, r.client)
}

func (p *pathReader) askAll(ctx context.Context, all []asked) {
	next := make(chan asked)
	var workers sync.WaitGroup
	for range queriesAtOnce {
		workers.Go(func() {
			for a := range next {
				p.ask(ctx, a)
			}
		})
	}
	for _, a := range all {
		next <- a
	}
	close(next)
	workers.Wait()
}

// ask reads the paths from a LID.
func (p *pathReader) ask(ctx context.Context, a asked) {
	p.mu.Lock()
	given := p.silent >= maxSilent || ctx.Err() != nil
	if given {
		p.missed++
	}
	p.mu.Unlock()
	if given {
		return
	}
	paths, err := p.table(ctx, a.lid)
	var again []route.PathLevel
	if err == nil && a.twice {
		again, err = p.table(ctx, a.lid)
	}
	p.mu.Lock()
	if err == nil {
		p.silent = 0
		p.told++
		if len(paths) == recordsOfPacket {
			p.short++
		}
	} else {
		p.silent++
	}
	p.mu.Unlock()
	if err != nil {
		r := problem(a.port.Node(), a.port.Num(), p.manager.Target(), mad.ClassSubnAdm, sa.AttrPathRecord, 0,
			fmt.Sprintf("the paths from LID %d are not known", a.lid), err)
		p.problem(&r)
		return
	}
	p.laneReader.mu.Lock()
	for _, levels := range differences(paths, again) {
		p.lanes.SetAlike(levels)
	}
	p.lanes.SetPaths(a.lid, append(paths, again...))
	p.laneReader.mu.Unlock()
}

// differences are the service levels of each destination that has others the second
// time, as masks.
func differences(first, second []route.PathLevel) (list []uint16) {
	was, is := levelsTo(first), levelsTo(second)
	for to, levels := range is {
		if before := was[to]; before != levels {
			list = append(list, before|levels)
		}
	}
	return list
}

func levelsTo(paths []route.PathLevel) map[ib.LID]uint16 {
	m := make(map[ib.LID]uint16, len(paths))
	for _, p := range paths {
		m[p.To] |= 1 << (p.SL & 15)
	}
	return m
}

// maxPathsOfPair bounds the records of one pair of LIDs: partitions and the like.
const maxPathsOfPair = 16

func (p *pathReader) table(ctx context.Context, from ib.LID) ([]route.PathLevel, error) {
	q := saclient.Query{Record: &sa.PathRecord{SLID: from}, Mask: sa.CompPathRecordSLID}
	var list []route.PathLevel
	for record, err := range saclient.Table[sa.PathRecord](ctx, p.manager, q) {
		switch {
		case errors.Is(err, sa.StatusNoRecords):
			return nil, nil
		case err != nil:
			return nil, err
		case len(list) >= maxPathsOfPair*(int(p.top)+1):
			return nil, fmt.Errorf("there are more than %d", len(list))
		case record.SLID == from && record.DLID.IsUnicast() && record.DLID <= p.top:
			list = append(list, route.PathLevel{To: record.DLID, SL: record.SL})
		}
	}
	return list, nil
}
