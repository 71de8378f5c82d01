package umad

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
)

// oneGID is a port whose packets all go to one GID: RoCE has no LIDs.
type oneGID struct {
	*Port
	to mad.Addr
}

func (r oneGID) Send(p *mad.Packet, _ mad.Addr, timeout time.Duration) error {
	return r.Port.Send(p, r.to, timeout)
}

// TestKernelClient: the client's repetitions of a request get along with the
// kernel, which refuses one that it still waits for.
func TestKernelClient(t *testing.T) {
	needKernel(t)
	for _, tc := range []struct {
		name    string
		gid     uint8 // the kernel answers at 0 and drops replies at 1
		retries int
		want    error
		tries   int
	}{
		{"answered", 0, 2, mad.StatusUnsupportedAttr, 1},
		{"unanswered", 1, 2, os.ErrDeadlineExceeded, 3},
		{"unanswered, one try", 1, -1, os.ErrDeadlineExceeded, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := OpenFile(umad0, abiVersion)
			if err != nil {
				t.Fatal(err)
			}
			c := madrpc.New(oneGID{p, gidAddr(t, tc.gid)}, &madrpc.Options{Timeout: 150 * time.Millisecond, Retries: tc.retries})
			defer c.Close()
			r := madrpc.Request{Target: mad.ByLID(1), Packet: *packet(mad.ClassPerf, mad.MethodGet, 0)}
			start := time.Now()
			err = c.Do(t.Context(), &r)
			took := time.Since(start)
			if !errors.Is(err, tc.want) || r.Tries != tc.tries {
				t.Errorf("%v after %d tries, want %v after %d", err, r.Tries, tc.want, tc.tries)
			}
			if least := time.Duration(tc.tries) * 150 * time.Millisecond; tc.want == os.ErrDeadlineExceeded && took < least-30*time.Millisecond {
				t.Errorf("took %v, want %v or more", took, least)
			}
			if s := c.Stats(); s.Resent != uint64(tc.tries-1) {
				t.Errorf("%+v", s)
			}
		})
	}
}
