package hostcheck

import (
	"context"
	"sync"

	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/rdma/nldev"
)

// checker gathers the findings about one host.
type checker struct {
	Options
	host   Host
	system func(context.Context) (nldev.System, error)

	adapters []adapter
	devices  []*rdma.Device // all of the host
	readErr  error          // what of them could not be read
	hasUmad  bool           // the module is there and can be used
	findings []Finding
}

func (c *checker) add(f Finding) { c.findings = append(c.findings, f) }

// run makes the checks, from the bottom up.
func (c *checker) run(ctx context.Context) {
	c.devices, c.readErr = c.host.rdma().Devices(ctx)
	c.adapters = c.host.adapters()
	c.checkAdapters()
	c.checkDrivers()
	if !c.checkKernel() {
		c.checkMemoryLock()
		return
	}
	c.checkNetNSMode(ctx)
	c.checkDevices()
	c.checkUmadModule()
	c.checkVerbsModule()
	c.checkIPoIB()
	c.checkMemoryLock()
	c.checkLinkLayers()
	c.checkFirmware()
	c.checkPorts(ctx)
}

// wanted are the devices that were asked for.
func (c *checker) wanted() []*rdma.Device {
	if c.Device == "" {
		return c.devices
	}
	for _, d := range c.devices {
		if d.Name == c.Device {
			return []*rdma.Device{d}
		}
	}
	return nil
}

// maxAsked bounds how many ports are asked at a time.
const maxAsked = 16

// checkPorts looks at the devices and their ports. Ports wait for replies, so
// several are asked at a time.
func (c *checker) checkPorts(ctx context.Context) {
	var parts []*[]Finding
	var wg sync.WaitGroup
	slots := make(chan struct{}, maxAsked)
	for _, d := range c.wanted() {
		own := c.checkDevice(d)
		parts = append(parts, &own)
		if !d.NodeType.IsIB() {
			continue
		}
		for _, p := range d.Ports {
			if c.Port != 0 && p.Num != c.Port {
				continue
			}
			part := new([]Finding)
			parts = append(parts, part)
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				pc := portChecker{checker: c, device: d, port: p}
				pc.run(ctx)
				*part = pc.findings
			})
		}
	}
	wg.Wait()
	for _, part := range parts {
		c.findings = append(c.findings, *part...)
	}
}
