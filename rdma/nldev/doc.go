// Package nldev asks the kernel about RDMA devices over netlink (NETLINK_RDMA,
// the RDMA_NLDEV commands of include/uapi/rdma/rdma_netlink.h). It is what the
// tool rdma of iproute2 and libibverbs ask; no request here needs privileges.
//
// Numbers are in host byte order, GUIDs and subnet prefixes too: unlike in MADs and
// in verbs they are plain integers. Attributes that this package does not know are
// skipped, and those that an older kernel does not send are zero.
package nldev
