// Package umad opens the management ports of the Linux kernel
// (/dev/infiniband/umadN, drivers/infiniband/core/user_mad.c), registers agents,
// and sends and receives MADs. It does what libibumad does, without it.
//
// A *Port is a madrpc.Transport: agents for the classes that are sent are
// registered by themselves. Programs that answer requests, or want their own
// agents, use Register.
//
// Which port is meant, and what ports there are, comes from sysfs: see CAs and
// Open. The roots of sysfs and of the device files are parameters (Host), so that
// a container's view, a test's fixture and the machine itself are one code path.
package umad
