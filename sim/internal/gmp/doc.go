// Package gmp is what the simulator's agents of general services have in
// common: checks of the header, and the key that protects an agent.
package gmp
