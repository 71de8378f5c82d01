package rdma_test

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma"
)

// A monitoring program prints what it can read, and says what it could not.
func Example() {
	devices, err := rdma.Devices()
	if errors.Is(err, unix.ENOSYS) {
		fmt.Println("no RDMA drivers on this host")
		return
	}
	for _, d := range devices {
		for _, p := range d.Ports {
			fmt.Println(d.Name, p.Num, p.State, p.Rate, p.LinkLayer)
		}
	}
	for _, problem := range rdma.Problems(err) {
		fmt.Println("could not read", problem.Device, problem.Attribute, problem.Err)
	}
}

// Counters that the hardware does not have are absent, and data is counted in
// words of four bytes.
func ExamplePort_Counters() {
	devices, _ := rdma.Devices()
	for _, d := range devices {
		for _, p := range d.Ports {
			counters, err := p.Counters(context.Background())
			if err != nil {
				fmt.Println(err)
			}
			for _, c := range counters.List {
				if bytes, ok := c.Bytes(); ok {
					fmt.Println(d.Name, p.Num, c.Name, bytes, "bytes")
				} else {
					fmt.Println(d.Name, p.Num, c.Name, c.Value, c.Unit, "saturated:", c.Saturated())
				}
			}
		}
	}
}

// A copied tree, or the /sys of the host mounted in a container, is read without
// netlink.
func ExampleHost() {
	host := rdma.Host{Sys: "/host/sys", Dev: "/host/dev"}
	devices, err := host.Devices(context.Background())
	fmt.Println(len(devices), errors.Is(err, unix.ENOSYS))
	// Output: 0 true
}

// Capabilities have the names of the specification.
func ExampleCapMask_Names() {
	fmt.Println(rdma.CapMask(0x00010402).Names())
	// Output: [IsSM IsSMdisabled IsCommunicationManagementSupported]
}
