// Package source opens the place that a fabric comes from. One URI names it,
// for every command:
//
//	umad:  umad:mlx5_0  umad:mlx5_0/1         a kernel port
//	sim:FILE  sim:fattree?levels=3&radix=8    a simulated fabric in the process
//	ibsim:  ibsim:NAME  ibsim:HOST:PORT       a running ibsim
//	file:FILE  file:DIR  file:A,B             a stored fabric; several files of it
//
// The arguments of a simulated fabric follow a question mark: node= or host=
// names the node to attach to (GUID or node description; host= admits CAs
// only), port= its port, latency= the time from a request to its reply, hop= that
// of each cable, loss= the share of packets that get lost (0.01 or 1%), seed= a
// number for the simulator's random choices. docs/simulator.md has the others,
// among them physics=typical, sma=, queue=, slow= and flap=. What is left belongs
// to the generator.
package source
