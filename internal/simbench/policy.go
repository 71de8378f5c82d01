package simbench

import (
	"context"
	"fmt"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/madrpc"
)

// Policy is a way to sweep.
type Policy struct {
	Name string
	Run  func(context.Context, madrpc.Transport) (*fabric.Fabric, error)
}

// Adaptive is discover with its defaults.
func Adaptive() Policy { return swept("adaptive", discover.Options{}) }

// Fixed is discover with a fixed window, and the timeout and tries of the C tools.
func Fixed(window int) Policy {
	return swept(fmt.Sprintf("window %d", window), discover.Options{
		MaxOutstanding: window, Timeout: time.Second, Retries: 3,
	})
}

// Reference is libibnetdisc with its defaults.
func Reference() Policy { return Policy{"libibnetdisc", runReference} }

func swept(name string, o discover.Options) Policy {
	return Policy{name, func(ctx context.Context, t madrpc.Transport) (*fabric.Fabric, error) {
		return discover.Run(ctx, t, &o)
	}}
}
