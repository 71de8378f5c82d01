// Package lab boots a real Linux kernel with RDMA devices, so that tests can
// compare with it what they otherwise only know from its source.
//
// The kernel is Debian's, in qemu without hardware help, with two soft-RoCE
// devices (rxe0 on a veth, rxe1 on a dummy link). The guest's file system is
// busybox, the modules, the C tools of this machine with their libraries, and
// what the caller adds:
//
//	result, err := lab.Run(ctx, &lab.Guest{
//		Script: "ibv_devices; ./mytool -v",
//		Files:  []lab.File{{Name: "mytool", Path: "/tmp/mytool"}},
//	})
//
// By hand the same is
//
//	go run ./internal/lab/cmd/lab run SCRIPT [FILE…]
//
// A boot takes about 6 seconds on a machine with nothing else to do. The first
// one downloads the kernel (70 MB) into the user's cache folder. See Missing for
// what a machine needs, and docs/kernel-lab.md for the whole story.
package lab
