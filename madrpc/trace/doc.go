// Package trace follows the forwarding tables of switches through a fabric, as a
// packet would go: to a LID, or to the member of a multicast group. Every step is
// asked of the switch that takes it, by directed route, so that a way can be
// followed to where it ends.
package trace
