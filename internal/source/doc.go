// Package source opens the place that a fabric comes from. One URI names it,
// for every command:
//
//	umad:  umad:mlx5_0  umad:mlx5_0/1         a kernel port
//	sim:FILE  sim:fattree?levels=3&radix=8    a simulated fabric in the process
//	ibsim:  ibsim:NAME  ibsim:HOST:PORT       a running ibsim
//	file:FILE                                 a stored fabric
//
// The arguments of a simulated fabric follow a question mark: node= or host=
// names the node to attach to (GUID or node description; host= admits CAs
// only), port= its port, latency= a duration per hop, loss= the share of
// packets that get lost (0.01 or 1%), seed= a number for the simulator's random
// choices. All others belong to the generator.
package source
