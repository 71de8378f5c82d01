// Package hostfs is a machine on a simulated fabric as its kernel would show
// it: the device files in /dev/infiniband, and the adapters with their ports
// below /sys/class/infiniband, infiniband_mad and infiniband_verbs.
//
// Package fuse serves the tree. Values come from the attributes of the simulated
// nodes whenever a file is read, in the form of drivers/infiniband/core/sysfs.c.
// What no attribute tells, as the version of the firmware, is plainly made up.
package hostfs
