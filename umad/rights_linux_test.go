package umad

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// dropRights runs f in a thread whose user for files is nobody. The thread ends
// with f.
func dropRights(t *testing.T, f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread is not used again
		if _, err := unix.SetfsuidRetUid(65534); err != nil {
			t.Error(err)
			return
		}
		f()
	}()
	<-done
}
