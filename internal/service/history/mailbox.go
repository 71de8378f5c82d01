package history

import "github.com/ibscope/ibscope/watch"

// maxMail is how many states of a fabric wait for the writer. Each holds the counters of
// all ports.
const maxMail = 2

// Record takes a state to be stored: its fabric if a sweep has ended since the last one,
// its rates if a pass has. It never waits. Where the writer does not keep up, the oldest
// states are dropped and counted.
func (db *DB) Record(s *watch.State) {
	if s == nil || db.o.ReadOnly || s.Fabric == nil && s.Totals == nil {
		return
	}
	db.mu.Lock()
	list := append(db.mailbox[s.Name], s)
	if len(list) > maxMail {
		list = append([]*watch.State(nil), list[1:]...)
		db.status.LostStates++
	}
	db.mailbox[s.Name] = list
	db.mu.Unlock()
	select {
	case db.mail <- struct{}{}:
	default:
	}
}

// peek is some state in the mailbox, nil if it is empty.
func (db *DB) peek() *watch.State {
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, list := range db.mailbox {
		return list[0]
	}
	return nil
}

// drop removes a state from the mailbox, if it is still there.
func (db *DB) drop(s *watch.State) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if list := db.mailbox[s.Name]; len(list) > 0 && list[0] == s {
		list = list[1:]
		if len(list) == 0 {
			delete(db.mailbox, s.Name)
			return
		}
		db.mailbox[s.Name] = list
	}
}
