// Package subnetlst reads the lists of links that OpenSM (opensm-subnet.lst) and
// ibdiagnet (.lst) write: a line for each link, with all about both ends.
package subnetlst
