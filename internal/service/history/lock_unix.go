//go:build unix

package history

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// takeLock makes sure that there is one writer: two would give different events one ID.
// SQLite's own locks are for single transactions. The file stays; the lock goes with the
// process, however it ends.
func (db *DB) takeLock() error {
	if db.lock != nil {
		return nil
	}
	f, err := os.OpenFile(db.path+"-lock", os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return fmt.Errorf("%w (%s-lock is locked)", ErrInUse, db.path)
		}
		return err
	}
	db.lock = f
	return nil
}

func (db *DB) unlock() {
	if db.lock != nil {
		db.lock.Close()
		db.lock = nil
	}
}
