package history

import (
	"context"
	"database/sql"
	"slices"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/internal/service/history/block"
)

// storePass stores the rates of a pass. It gives the layouts, as they are once the
// transaction is committed.
func (w *writer) storePass(ctx context.Context, tx *sql.Tx, of *fabricRecord, t *total.Table) (parts [numParts]*layout, err error) {
	var ports [numParts][]*total.Port
	for _, p := range t.Ports {
		if p.Num < 0 || p.Num > 255 {
			continue
		}
		i := partOf(p.Node)
		ports[i] = append(ports[i], p)
	}
	insert, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO rates (key, layout, body) VALUES (?, ?, ?)")
	if err != nil {
		return parts, err
	}
	defer insert.Close()
	var cells []block.Cell
	for i := range ports {
		if len(ports[i]) == 0 {
			continue
		}
		if parts[i], err = w.layoutOf(ctx, tx, of, i, ports[i], t); err != nil {
			return parts, err
		}
		cells = cells[:0]
		for _, p := range ports[i] {
			cells = append(cells, block.Of(p))
		}
		body, err := w.packer.Pack(cells, 0)
		if err != nil {
			return parts, err
		}
		if _, err := insert.ExecContext(ctx, rateKey(of.id, 0, t.At, i), parts[i].id, body); err != nil {
			return parts, err
		}
	}
	return parts, nil
}

// layoutOf is the layout of the ports of a part: mostly that of the pass before.
func (w *writer) layoutOf(ctx context.Context, tx *sql.Tx, of *fabricRecord, part int, ports []*total.Port, t *total.Table) (*layout, error) {
	if l := of.parts[part]; l != nil && len(l.keys) == len(ports) {
		same := true
		for i, p := range ports {
			same = same && l.keys[i] == p.Key
		}
		if same {
			return l, nil
		}
	}
	keys := make([]total.Key, 0, len(ports))
	for _, p := range ports {
		keys = append(keys, p.Key)
	}
	if !slices.IsSortedFunc(keys, block.CompareKeys) {
		return nil, block.ErrKeys
	}
	return layoutFor(ctx, tx, of.id, part, keys, t.At)
}
