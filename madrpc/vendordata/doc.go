// Package vendordata asks devices of NVIDIA (Mellanox) what only their vendor
// class tells: hardware and firmware, the configuration space, groups of counters.
// The attributes are those of package mad/vendors/mlnx.
//
// All errors are those of madrpc.Client.Do.
package vendordata
