// Package vendors has the simulator's agents of vendors' management classes:
// that of NVIDIA (Mellanox) devices, which vendstat asks, and the servers of
// ibping and ibsysstat.
package vendors
