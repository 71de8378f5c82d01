package ibstatus

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/rdma"
)

// document are the devices that the arguments name, or all. One that does not exist
// is a problem.
type document struct {
	Devices []diags.Device `json:"devices"`
}

// runDocument prints the document and gives the exit code.
func runDocument(ctx context.Context, e *env.Env, c *diags.Common, args []string) int {
	devices, err := rdma.Host{Sys: e.Sys, Dev: e.Dev}.Devices(ctx)
	for _, p := range rdma.Problems(err) {
		c.Problem(p)
	}
	slices.SortFunc(devices, rdma.ByBytes)
	d, code := document{Devices: []diags.Device{}}, 0
	if len(args) == 0 {
		for _, device := range devices {
			d.Devices = append(d.Devices, diags.DeviceOf(device, func(*rdma.Port) bool { return true }))
		}
	}
	for _, arg := range args {
		if !d.add(devices, arg) {
			c.Problem(&missing{arg})
			code = diags.ExitFatal
		}
	}
	if err := c.PrintDocument(&d); err != nil {
		e.Complain("%v", err)
		return diags.ExitFatal
	}
	return code
}

// add adds a device, or one port of it.
func (d *document) add(devices []*rdma.Device, arg string) bool {
	name, port, onePort := strings.Cut(arg, ":")
	num, err := strconv.Atoi(port)
	i := slices.IndexFunc(devices, func(v *rdma.Device) bool { return v.Name == name })
	if i < 0 || onePort && err != nil {
		return false
	}
	if _, ok := devices[i].Port(num); onePort && !ok {
		return false
	}
	d.Devices = append(d.Devices, diags.DeviceOf(devices[i], func(p *rdma.Port) bool { return !onePort || p.Num == num }))
	return true
}

// missing is an argument that names no port.
type missing struct{ arg string }

func (m *missing) Error() string { return "no device or port " + strconv.Quote(m.arg) }

// Unwrap gives os.ErrNotExist.
func (m *missing) Unwrap() error { return os.ErrNotExist }
