// Package core opens fabric URIs that name kernel ports and running ibsims. What else a URI
// may name, package source adds: a drop-in tool that works on one of these does not wait
// for the tables of the network, of the simulator and of all file formats.
package core
