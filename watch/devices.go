package watch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/vendordata"
	"github.com/ibscope/ibscope/survey"
)

// How devices are asked.
const (
	devicesDeadline = 5 * time.Minute
	devicesAtOnce   = 8  // so that a sweep or a pass hardly has to wait for them
	mostUnanswered  = 2  // in a row; then a device is left alone
	askAgain        = 24 // but for one time in this many

	keptDevices = 24 * time.Hour // for devices that are gone, and may be back with another firmware
)

// asking is what is kept between the times that devices are asked. It belongs to the one
// that is under way.
type asking struct {
	unanswered map[ib.GUID]int
	times      int     // that devices were asked
	next       ib.GUID // to begin with, if the last time ended early
}

// devicesResult is what devices have told.
type devicesResult struct {
	devices map[ib.GUID]Device
	only    map[ib.GUID]bool // who was asked, nil for all
	run     Run
	err     error // why it ended early
}

// askDevices runs in a goroutine of its own. It asks some devices, nil stands for all.
func (w *Watcher) askDevices(ctx context.Context, c *connection, before *State, only map[ib.GUID]bool) outcome {
	ctx, cancel := context.WithTimeout(ctx, devicesDeadline)
	defer cancel()
	r := &devicesResult{devices: map[ib.GUID]Device{}, only: only}
	r.run.Started, r.run.From = time.Now(), before.Number
	for guid, d := range before.Devices {
		if _, there := before.Fabric.NodeByGUID(guid); there || time.Since(d.At) < keptDevices {
			r.devices[guid] = d
		}
	}
	for some := range slices.Chunk(w.asking.order(before.Fabric, only), devicesAtOnce) {
		if only == nil {
			w.asking.next = some[0].GUID()
		}
		if r.err = w.asking.ask(ctx, c.client, some, r); r.err != nil {
			break
		}
	}
	if r.err == nil && only == nil {
		w.asking.next = 0
	}
	r.run.Duration = time.Since(r.run.Started)
	r.run.Err = r.err
	r.run.Complete = r.err == nil && r.run.Problems == 0
	return outcome{kind: Asking, devices: r}
}

// order are the devices to ask, those first that were not come to the last time.
func (a *asking) order(f *fabric.Fabric, only map[ib.GUID]bool) []*fabric.Node {
	var list []*fabric.Node
	first := 0
	if only == nil {
		a.times++
	}
	for n := range f.Nodes() {
		if only != nil {
			if only[n.GUID()] && survey.TellsFirmware(n) {
				list = append(list, n)
			}
			continue
		}
		if !survey.TellsFirmware(n) || a.unanswered[n.GUID()] >= mostUnanswered && a.times%askAgain != 0 {
			continue
		}
		if n.GUID() == a.next {
			first = len(list)
		}
		list = append(list, n)
	}
	return slices.Concat(list[first:], list[:first])
}

// ask asks some devices at once. The error is the context's, or what ended the client.
func (a *asking) ask(ctx context.Context, c *madrpc.Client, some []*fabric.Node, r *devicesResult) error {
	var nodes []*fabric.Node
	var targets []mad.Target
	for _, n := range some {
		if to, ok := survey.ByLID(n); ok {
			nodes, targets = append(nodes, n), append(targets, to)
		}
	}
	for i, answer := range vendordata.Devices(ctx, c, targets) {
		if err := errors.Join(ctx.Err(), c.Err()); err != nil {
			return err
		}
		r.run.Requests++
		guid := nodes[i].GUID()
		if answer.Err != nil {
			r.run.Problems++
			if r.only == nil { // else it may be starting still
				a.unanswered[guid]++
			}
			continue
		}
		delete(a.unanswered, guid)
		d := &answer.Device
		r.devices[guid] = Device{
			Firmware: fabric.Firmware{Version: fmt.Sprintf("%d.%d.%d", d.Firmware.Major, d.Firmware.Minor, d.Firmware.SubMinor), PSID: d.PSID},
			Uptime:   time.Duration(d.Uptime) * time.Second, At: time.Now(),
		}
	}
	return nil
}

// takeDevices makes a new state of what devices have told, also when that ended early.
func (w *Watcher) takeDevices(r *devicesResult) {
	w.log.Debug("firmware", "requests", r.run.Requests, "duration", r.run.Duration, "problems", r.run.Problems, "err", r.err)
	if r.err != nil && !errors.Is(r.err, context.DeadlineExceeded) {
		w.schedule.devices.asked = true // once there is a port again
		w.askAll = w.askAll || r.only == nil
		maps.Copy(w.restarted, r.only)
	}
	w.publish(Asking, func(s *State) {
		s.count(Asking, r.run, false)
		s.Devices = r.devices
		s.Fabric = withFirmware(s.Fabric, r.devices)
	})
}

// storedDevices are those of a fabric that was stored with their firmware.
func storedDevices(f *fabric.Fabric, at time.Time) map[ib.GUID]Device {
	list := map[ib.GUID]Device{}
	for n := range f.Nodes() {
		if firmware, ok := n.Firmware(); ok {
			list[n.GUID()] = Device{Firmware: firmware, At: at}
		}
	}
	return list
}
