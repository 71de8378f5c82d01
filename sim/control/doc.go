// Package control lets other programs do things to a simulated fabric while it
// runs, and ask how it is, over a socket of this machine.
//
// The protocol is one JSON object a line, in both directions; see Request and
// Reply. Commands are those of package scenario, and the queries of this one:
// Queries lists them. Each connection carries out one command after the other;
// several do not disturb one another.
package control
