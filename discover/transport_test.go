package discover_test

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
)

// breaking is a transport whose Recv fails after some replies.
type breaking struct {
	madrpc.Transport
	left int
	err  error
}

func (b *breaking) Recv(m *mad.Packet) (mad.Addr, error) {
	if b.left--; b.left < 0 {
		return mad.Addr{}, b.err
	}
	return b.Transport.Recv(m)
}

func attach(t *testing.T, p *plan) *sim.Port {
	t.Helper()
	s, err := sim.New(p.b.Build(), &sim.Options{Latency: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	port, err := s.AttachAt("h1", 0)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// A transport that ends in the middle ends the sweep: what was not asked any
// more is not told as thousands of nodes without a reply.
func TestTransportEnds(t *testing.T) {
	unplugged := errors.New("unplugged")
	for name, tt := range map[string]struct {
		run  func(t *testing.T) (*fabric.Fabric, error)
		want error
	}{
		"closed": {func(t *testing.T) (*fabric.Fabric, error) {
			port := attach(t, tree(4, 3))
			time.AfterFunc(4500*time.Microsecond, func() { port.Close() })
			return discover.Run(t.Context(), port, nil)
		}, os.ErrClosed},
		"broken": {func(t *testing.T) (*fabric.Fabric, error) {
			return discover.Run(t.Context(), &breaking{attach(t, tree(4, 3)), 20, unplugged}, nil)
		}, unplugged},
		"broken at once": {func(t *testing.T) (*fabric.Fabric, error) {
			return discover.Run(t.Context(), &breaking{attach(t, tree(4, 3)), 0, unplugged}, nil)
		}, unplugged},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, err := tt.run(t)
				wantError(t, err, tt.want)
				if k := kinds(f); k[fabric.NoReply] > 0 || f.NumNodes() > 0 && k[fabric.NotFinished] == 0 {
					t.Errorf("%d nodes, problems %v; want what was not finished, and no lost replies", f.NumNodes(), f.Problems())
				}
			})
		})
	}
}
