package survey

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// LaneOptions tune ReadLanes. Nil or the zero value has the defaults.
type LaneOptions struct {
	SMKey uint64 // of the queries to the manager
}

// ErrTooManyPaths is the cause when the paths of a fabric are more than MaxLanePairs.
var ErrTooManyPaths = errors.New("there are too many pairs of LIDs")

// MaxLanePairs bounds the pairs of a source LID and a LID of the fabric whose service
// levels ReadLanes keeps: each takes a byte. 20,000 adapters have 400 million.
const MaxLanePairs = 1 << 29

// ReadLanes reads what route.Examination.LaneNeeds asks for: from subnet administration
// the service levels of the paths of all sources, by one query of PathRecords for each
// source LID, and from switches the SLtoVLMappingTables of the crossings. The number of
// records is that of the pairs: 25 million where 5,000 adapters are asked about.
//
// The tables are never nil. What could not be read is not in them, and is a problem;
// the error, an *Error, says why nothing more was asked: that there is no manager
// (resolve.ErrNoManager), ErrTooManyPaths, ErrCutTables, or the end of the context or client.
func ReadLanes(ctx context.Context, c *madrpc.Client, f *fabric.Fabric, needs *route.LaneNeeds, o *LaneOptions,
) (*route.LaneTables, []fabric.Problem, error) {
	if o == nil {
		o = &LaneOptions{}
	}
	r := &laneReader{client: c, needs: needs, lanes: &route.LaneTables{}}
	if len(needs.Sources) == 0 {
		return r.lanes, nil, nil
	}
	if err := r.readPaths(ctx, f, o); err != nil {
		return r.lanes, r.problems, &Error{Op: "ask the subnet manager for paths", Err: err}
	}
	if r.lanes.Sources() > 0 { // else the tables tell nothing
		r.readTables(ctx)
	}
	if err := ended(ctx, c); err != nil {
		return r.lanes, r.problems, &Error{Op: "read SLtoVL tables", Err: err}
	}
	return r.lanes, r.problems, nil
}

// laneReader gathers lanes.
type laneReader struct {
	client *madrpc.Client
	needs  *route.LaneNeeds

	mu       sync.Mutex
	lanes    *route.LaneTables
	problems []fabric.Problem
}

func (r *laneReader) problem(p *fabric.Problem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problems = append(r.problems, *p)
}

// readTables reads the crossings of all switches.
func (r *laneReader) readTables(ctx context.Context) {
	parts := make(chan []route.Crossing)
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for part := range parts {
				r.readSwitch(ctx, part)
			}
		})
	}
	for rest := r.needs.Crossings; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Switch == rest[0].Switch {
			n++
		}
		parts <- rest[:n]
		rest = rest[n:]
	}
	close(parts)
	workers.Wait()
}

// readSwitch reads the crossings of a switch, one after the other.
func (r *laneReader) readSwitch(ctx context.Context, crossings []route.Crossing) {
	sw := crossings[0].Switch
	to, reachable := target(sw)
	var first error
	var modifier uint32
	lost, misses := 0, 0
	for i, c := range crossings {
		m := smp.SLtoVLModifier(c.In, c.Out)
		err := errNoWay
		var table smp.SLtoVLMappingTable
		if reachable {
			table, err = madrpc.GetSMP[smp.SLtoVLMappingTable](ctx, r.client, to, m)
		}
		if err == nil {
			misses = 0
			r.mu.Lock()
			r.lanes.SetTable(c, table.VLs)
			r.mu.Unlock()
			continue
		}
		if lost++; first == nil {
			first, modifier = err, m
		}
		if misses++; misses == maxMisses {
			lost += len(crossings) - i - 1
			break
		}
	}
	if lost > 0 {
		p := problem(sw, -1, to, 0, smp.AttrSLtoVLMappingTable, modifier,
			fmt.Sprintf("%d of %d SLtoVL tables were read", len(crossings)-lost, len(crossings)), first)
		r.problem(&p)
	}
}

var errNoWay = errors.New("there is no way to it")

// topLID is the highest LID of a fabric.
func topLID(f *fabric.Fabric) ib.LID {
	top := ib.LID(0)
	for p := range f.Ports() {
		if lid := p.LID(); lid.IsUnicast() {
			top = max(top, min(lid+1<<p.LMC()-1, ib.MaxUnicastLID))
		}
	}
	return top
}
