package watch_test

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/readonly"
	"github.com/ibscope/ibscope/watch"
)

// A program that may only read keeps a fabric in memory, and tells of its master and its
// traffic whenever something is new.
func ExampleWatcher() {
	var open func(context.Context) (madrpc.Transport, error) // of package umad, for example
	follow := func(ctx context.Context) error {
		w := watch.New(&watch.Options{
			Open: func(ctx context.Context) (madrpc.Transport, error) {
				t, err := open(ctx)
				if err != nil {
					return nil, err
				}
				return readonly.New(t, readonly.Allow{}), nil
			},
			Client: madrpc.Options{Rate: 2000}, // packets in a second, sweeps and counters together
		})
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- w.Run(ctx) }()
		for s := w.State(); ; {
			var err error
			if s, err = w.Wait(ctx, s); err != nil {
				return <-ended
			}
			if !s.Connected {
				fmt.Println("lost since", s.Lost, s.Err)
				continue
			}
			master, _ := s.Master()
			fmt.Println(s.Fabric.NumNodes(), "nodes, managed by", master.Node)
			if s.Totals == nil {
				continue
			}
			for _, p := range s.Totals.Ports {
				if p.Rated.Has(counters.XmitData) {
					fmt.Println(p.Node, p.Num, p.Rates[counters.XmitData], "bytes per second, congested", p.Congestion)
				}
			}
		}
	}
	_ = follow
}
