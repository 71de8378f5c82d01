// Package core opens fabric URIs that name kernel ports. What else a URI may name,
// package source adds: a drop-in tool that works on the machine's own ports does not wait
// for the tables of the network, of the simulator and of all file formats.
package core
