package counters_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/madrpc"
)

// A service reads the counters of a fabric every ten seconds.
func ExampleCollector() {
	var transport madrpc.Transport // of package umad, for example
	watch := func(ctx context.Context) error {
		client := madrpc.New(transport, nil)
		defer client.Close()
		fabric, err := discover.Walk(ctx, client, nil)
		if err != nil {
			return err
		}
		collector := counters.New(client, fabric, &counters.Options{Each: func(s *counters.Sample) {
			if bytes, ok := s.XmitBytes(); ok {
				fmt.Println(s.Node.GUID(), s.Num, bytes, "bytes by", s.After)
			}
		}})
		for {
			pass, err := collector.Collect(ctx)
			if err != nil {
				return err
			}
			for i := range pass.Problems {
				fmt.Println(&pass.Problems[i])
			}
			select {
			case <-time.After(10 * time.Second):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	_ = watch
}
