package fleet

import "fmt"

// Error says what could not be done. Unwrap gives the cause.
type Error struct {
	Op     string // "configure", "connect", "lease", "mark", "publish", "snapshot"
	Fabric string // "" for all
	Err    error
}

func (e *Error) Error() string {
	if e.Fabric == "" {
		return fmt.Sprintf("fleet: %s: %v", e.Op, e.Err)
	}
	return fmt.Sprintf("fleet: %s: fabric %s: %v", e.Op, e.Fabric, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
