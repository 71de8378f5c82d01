package nldev

import (
	"context"
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

// TestKernel asks the running kernel: it needs a machine with RDMA devices, as
// internal/lab boots one.
func TestKernel(t *testing.T) {
	c, err := Dial(nil)
	if errors.Is(err, unix.EPROTONOSUPPORT) {
		t.Skip("this kernel has no RDMA")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx := context.Background()
	devices, err := c.Devices(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := c.System(ctx); err != nil || !s.SharedNetNS {
		t.Errorf("system %+v, %v", s, err)
	}
	for _, d := range devices {
		if one, err := c.Device(ctx, d.Index); one != d || err != nil {
			t.Errorf("device %d alone: %+v, %v; in the list %+v", d.Index, one, err, d)
		}
		ports, err := c.Ports(ctx, d.Index)
		if err != nil || len(ports) != int(d.Ports) {
			t.Errorf("%s: %d ports of %d, %v", d.Name, len(ports), d.Ports, err)
		}
		for _, p := range ports {
			if one, err := c.Port(ctx, d.Index, p.Num); one != p || err != nil {
				t.Errorf("%s port %d alone: %+v, %v; in the list %+v", d.Name, p.Num, one, err, p)
			}
			counters, err := c.Counters(ctx, d.Index, p.Num)
			t.Logf("%s port %d: %+v, %d counters, %v", d.Name, p.Num, p, len(counters), err)
		}
		file, err := c.CharDev(ctx, d.Index, CharDevVerbs, 0)
		t.Logf("%+v, %+v, %v", d, file, err)
		if _, err := c.CharDev(ctx, d.Index, "nonsense", 0); err == nil {
			t.Errorf("%s has a file of a kind that does not exist", d.Name)
		} else {
			t.Logf("a kind that does not exist: %v", err)
		}
	}
	for _, err := range []error{
		second(c.Device(ctx, 999)), second(c.Port(ctx, 999, 1)), second(c.Counters(ctx, 999, 1)),
	} {
		if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENODEV) {
			t.Errorf("a device that does not exist: %v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestKernelContext ends the context of a request.
func TestKernelContext(t *testing.T) {
	c, err := Dial(nil)
	if err != nil {
		t.Skipf("this kernel has no RDMA: %v", err)
	}
	defer c.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Devices(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := c.Devices(context.Background()); err != nil {
		t.Errorf("a context that ended before the request must not harm the connection: %v", err)
	}
}
