// Package simworld is what the commands have in common that run a simulated
// fabric for others: a scenario's timeline, and a control socket.
package simworld
