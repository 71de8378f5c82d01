// Package uverbs asks RDMA devices for their attributes through their verbs
// device files, /dev/infiniband/uverbsN: what ibv_query_device_ex, ibv_query_port,
// ibv_query_gid_ex and ibv_query_pkey tell.
//
// The kernel answers only after it has made a context, and each driver wants a
// request of its own for that. libibverbs leaves it to a plug-in for each driver;
// here it is a row of one table (drivers.go). A driver without a row is asked
// without any data of its own, which many accept.
//
// Soft-RoCE is what the rows are tested with on a real kernel; the others are
// compared with the headers and with what libibverbs sends. docs/from-c.md has the
// list.
//
// Nothing is created but the context, and that ends with Close. No memory is
// mapped and no queue is made, so that a query disturbs nobody.
//
// A kernel before 4.20 has no ioctl interface for all of this: Open then fails
// with errors.ErrUnsupported. So does it on other systems than Linux.
package uverbs
