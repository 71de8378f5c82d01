// Package umadev behaves as the device files umadN and issmN of the Linux
// kernel do (drivers/infiniband/core/user_mad.c and mad.c), for a port of a
// simulated fabric: agents and their checks, the transaction IDs that belong to
// the kernel, timeouts and retries, the header before each MAD, and the errno
// of every mistake.
//
// It is the other side of package umad and shares no code with it. Package fuse
// brings its files to a client.
//
// For agents that leave RMPP to the kernel it takes long messages apart and joins
// them (mad_rmpp.c). A write(2) arrives in one piece up to 1 MiB.
package umadev
