//go:build unix

package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// takeLock makes sure that there is one writer: two would give different events one ID.
// SQLite's own locks are for single transactions. The file stays; the lock goes with the
// process, however it ends.
func (db *DB) takeLock(ctx context.Context) error {
	if db.lock != nil {
		return nil
	}
	f, err := os.OpenFile(db.path+"-lock", os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return err
	}
	// A child that another part of the process starts has the lock too until it becomes
	// another program; and a service that ends has it a little longer.
	for range lockTries {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			break
		}
		select {
		case <-time.After(lockPause):
		case <-ctx.Done():
		}
	}
	if err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return fmt.Errorf("%w (%s-lock is locked)", ErrInUse, db.path)
		}
		return err
	}
	db.lock = f
	return nil
}

const (
	lockTries = 20
	lockPause = 50 * time.Millisecond
)

func (db *DB) unlock() {
	if db.lock != nil {
		db.lock.Close()
		db.lock = nil
	}
}
