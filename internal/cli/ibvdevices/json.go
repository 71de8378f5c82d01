package ibvdevices

import (
	"errors"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/rdma"
)

// document is the list. Of ports there is nothing.
type document struct {
	Devices []diags.Device `json:"devices"`
}

var errNoList = errors.New("the list of devices cannot be read")

// printDocument prints the list and gives the exit code.
func printDocument(e *env.Env, c *diags.Common, devices []*rdma.Device) int {
	d := document{Devices: []diags.Device{}}
	for _, device := range devices {
		d.Devices = append(d.Devices, diags.DeviceOf(device, func(*rdma.Port) bool { return false }))
	}
	if err := c.PrintDocument(&d); err != nil {
		e.Complain("%v", err)
		return 1
	}
	return 0
}
