// Package saview reads a fabric as its subnet manager knows it, from the records
// of subnet administration: a few tables by RMPP in place of a sweep of all nodes.
//
// It is the manager's view, and marked so (fabric.Sweep.View): what the manager
// has not noticed is not in it, what it has not forgotten still is. Package
// fabric/diff compares it with a sweep.
package saview
