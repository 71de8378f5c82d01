// Package simbench measures, for tests, what a sweep of a simulated fabric
// costs: in virtual time, so that the figure says something of the sweep and
// the fabric, and nothing of the machine that runs the test.
package simbench
