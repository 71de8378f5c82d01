package congestion

import (
	"context"

	"github.com/ibscope/ibscope/mad/cc"
)

// Table reads the congestion control table of an adapter: the entries up to the
// limit, the last valid index; none if the limit is 0, as no table is set then.
// After an error it gives those of the blocks before. The agent names the limit,
// and the table is at most 65536 entries long.
func (a *Agent) Table(ctx context.Context) (limit uint16, entries []cc.TableEntry, err error) {
	var v cc.CongestionControlTable
	if err := a.Get(ctx, &v, 0); err != nil {
		return 0, nil, err
	}
	limit = v.Limit
	for limit != 0 {
		entries = append(entries, v.Entries[:]...)
		if len(entries) > int(limit) {
			return limit, entries[:int(limit)+1], nil
		}
		if err := a.Get(ctx, &v, uint32(len(entries)/cc.EntriesPerBlock)); err != nil {
			return limit, entries, err
		}
	}
	return limit, nil, nil
}

// SetTable writes a whole congestion control table, block by block: its limit is
// the index of the last entry. More entries than the adapter has room for, which
// CongestionInfo tells, are mad.StatusInvalidValue.
func (a *Agent) SetTable(ctx context.Context, entries []cc.TableEntry) error {
	if len(entries) == 0 || len(entries) > 1<<16 {
		return &Error{Op: "set congestion control table", Target: a.Target, Detail: "a table has 1 to 65536 entries"}
	}
	for start := 0; start < len(entries); start += cc.EntriesPerBlock {
		v := cc.CongestionControlTable{Limit: uint16(len(entries) - 1)}
		copy(v.Entries[:], entries[start:])
		if err := a.Set(ctx, &v, uint32(start/cc.EntriesPerBlock)); err != nil {
			return err
		}
	}
	return nil
}
