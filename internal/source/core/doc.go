// Package core opens fabric URIs that name something outside the process: kernel ports
// and running ibsims. What else a URI may name, package source adds: a drop-in tool does
// not wait for the tables of the simulator and of all file formats before it begins.
package core
