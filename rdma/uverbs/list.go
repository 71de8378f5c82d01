package uverbs

import (
	"context"
	"os"
	"slices"

	"github.com/ibscope/ibscope/rdma"
)

// Devices lists the devices that have a device file for verbs, in the order of
// ibv_get_device_list: by the kernel's index. Unlike there, a device is listed
// whether or not anything here knows its driver. The error is that of
// rdma.Host.Devices; the list holds what could be read all the same.
func Devices(ctx context.Context, h rdma.Host) ([]*rdma.Device, error) {
	all, err := h.Devices(ctx)
	devices := slices.DeleteFunc(all, func(d *rdma.Device) bool { return !exists(d.UverbsPath()) })
	slices.SortFunc(devices, rdma.ByIndex)
	return devices, err
}

func exists(path string) bool {
	if path == "" {
		return false
	}
	_, err := os.Stat(path)
	return err == nil
}
