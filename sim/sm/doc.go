// Package sm is the subnet manager that lives in a simulated fabric: one for
// each subnet. It gives LIDs to ports that have none, tells all ports where it
// is, brings links to state Active, and forwards by tables of package
// fabric/route, which are computed when they are asked. When links change, the
// switches' traps make it look again.
//
// It changes the fabric by the methods of package sim rather than by packets.
// What it has done is what a manager does by packets, and every Get shows it.
package sm
