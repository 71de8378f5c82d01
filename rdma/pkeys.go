package rdma

import (
	"context"
	"strconv"

	"github.com/ibscope/ibscope/ib"
)

// PKeyEntry is an entry of a port's P_Key table that is in use.
type PKeyEntry struct {
	Index int
	PKey  ib.PKey
}

// PKeys reads the entries of the port's P_Key table that are not empty (IBA
// vol. 1, 10.9.1.2: a key whose low 15 bits are 0 is none), by index. iWARP ports
// have no table. Errors are as those of GIDs.
func (p *Port) PKeys(ctx context.Context) ([]PKeyEntry, error) {
	a, err := p.open()
	if err != nil {
		return nil, err
	}
	defer a.dir.close()
	var entries []PKeyEntry
	for _, index := range a.numbered("pkeys") {
		name := "pkeys/" + strconv.Itoa(index)
		if a.ended(ctx, name) {
			break
		}
		if k := ib.PKey(a.number(name, 16)); k.Partition() != 0 {
			entries = append(entries, PKeyEntry{Index: index, PKey: k})
		}
	}
	return entries, a.faults.err()
}
