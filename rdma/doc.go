// Package rdma lists the RDMA devices of a Linux host: what ibv_get_device_list
// and umad_get_ca tell, and more, without a device file and without privileges.
//
// The list comes from RDMA netlink (package rdma/nldev) and from sysfs. Either is
// enough: old kernels have no netlink interface, containers may have no sysfs, and
// a tree of files that was copied from a host is as good as the host itself.
//
// Results are partial. Devices gives all that could be read, and an error that
// joins one *Error for each thing that could not; see Problems. No device is an
// empty list and no error.
//
// Values that need a device file (MTUs, limits, resource counts) are not here: see
// package rdma/uverbs.
package rdma
