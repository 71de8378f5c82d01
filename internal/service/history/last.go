package history

import (
	"context"
	"errors"
	"time"

	"github.com/ibscope/ibscope/fabric"
)

// Last is what a service begins with after a restart.
type Last struct {
	Event   uint64 // the ID of the last event, 0 for none: the log goes on with the next
	Fabrics []LastFabric
}

// LastFabric is a fabric as it was found last.
type LastFabric struct {
	Name   string
	Source string    // its URI
	At     time.Time // when it was found like this last
	Fabric *fabric.Fabric
}

// Last gives the ID of the last event and each fabric as it was last; see watch.Static.
// A fabric that cannot be had is left out, and the error, which is *Error, tells why; the
// rest is there.
func (db *DB) Last(ctx context.Context) (*Last, error) {
	last := &Last{}
	id, err := db.lastEvent(ctx)
	if err != nil {
		return last, db.errorf("read", err, "the last event")
	}
	last.Event = id
	names, err := db.fabrics(ctx)
	if err != nil {
		return last, db.errorf("read", err, "the fabrics")
	}
	for _, name := range names {
		f, s, told := db.FabricAt(ctx, name, time.Time{})
		switch {
		case errors.Is(told, ErrNothing): // events or rates, and no sweep yet
			continue
		case told != nil:
			err = told
			continue
		}
		last.Fabrics = append(last.Fabrics, LastFabric{Name: name, Source: s.Source, At: s.Until, Fabric: f})
	}
	return last, err
}
