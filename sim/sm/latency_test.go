package sm_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sm"
)

// TestAnswersWithLatency: a manager hears what takes time to arrive, also from a program
// on its own machine.
func TestAnswersWithLatency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := must[*sim.Fabric](t)(sim.New(must[*fabric.Fabric](t)(gen.Parse("fattree?levels=2&radix=8")), &sim.Options{Latency: time.Millisecond}))
		defer f.Close()
		m := must[*sm.Manager](t)(sm.Start(f, nil))
		defer m.Close()
		client := madrpc.New(must[*sim.Port](t)(f.Attach(nil)), nil)
		defer client.Close()
		info, err := madrpc.GetSMP[smp.SMInfo](t.Context(), client, mad.ByLID(m.Subnets()[0].SMLID), 0)
		if err != nil || info.State != ib.SMMaster {
			t.Errorf("SMInfo %+v: %v", info, err)
		}
	})
}
