package hostcheck

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/rdma/nldev"
	"github.com/ibscope/ibscope/umad"
)

// Host says which host is looked at. The zero Host is the machine itself, as this
// process sees it.
type Host struct {
	Sys  string // root of sysfs; "" for /sys
	Dev  string // root of the device files; "" for /dev
	Proc string // root of procfs; "" for /proc
}

// Options narrow and tune a check. The zero value looks at everything.
type Options struct {
	Device string // only this device and its ports
	Port   int    // only this port, of Device or of each device

	// Passive leaves the device files and the fabric alone: only files of sysfs
	// and procfs are read.
	Passive bool

	// Timeout of each try of a request, and the tries after the first; 0 stands
	// for 500 ms and for 2, less than 0 for no further try.
	Timeout time.Duration
	Retries int

	// Connect opens a port for MADs in place of the kernel's device file. The
	// transport is closed after use.
	Connect func(ctx context.Context, p *rdma.Port) (madrpc.Transport, error)

	// Tap, if not nil, takes the transport of each port that was opened and gives
	// the one to use: one that sees what passes.
	Tap func(p *rdma.Port, t madrpc.Transport) madrpc.Transport
}

// Check looks at the host. When ctx ends early the report holds what is known
// by then, and ports that could not be asked any more say so.
func (h Host) Check(ctx context.Context, o *Options) *Report {
	c := &checker{host: h, system: systemSettings}
	if o != nil {
		c.Options = *o
	}
	c.run(ctx)
	return &Report{Findings: c.findings}
}

const (
	defaultTimeout = 500 * time.Millisecond
	defaultRetries = 2
)

func (o *Options) client() *madrpc.Options {
	return &madrpc.Options{
		Timeout: cmp.Or(max(o.Timeout, 0), defaultTimeout),
		Retries: cmp.Or(o.Retries, defaultRetries),
	}
}

func (h Host) sys(name string) string  { return filepath.Join(cmp.Or(h.Sys, "/sys"), name) }
func (h Host) proc(name string) string { return filepath.Join(cmp.Or(h.Proc, "/proc"), name) }

func (h Host) umad() umad.Host { return umad.Host{Sys: h.Sys, Dev: h.Dev} }

func (h Host) rdma() rdma.Host { return rdma.Host{Sys: h.Sys, Dev: h.Dev} }

// isThis reports whether sysfs is that of this machine: then netlink speaks of
// the same host.
func (h Host) isThis() bool { return h.sys("") == "/sys" }

// systemSettings asks the kernel how RDMA is set up.
func systemSettings(ctx context.Context) (nldev.System, error) {
	c, err := nldev.Dial(nil)
	if err != nil {
		return nldev.System{}, err
	}
	defer c.Close()
	return c.System(ctx)
}
