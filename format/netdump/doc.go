// Package netdump reads the tables of ports that ibdiagnet writes: .net_dump,
// a table for each switch, and .net_dump_ext, one table of all ports.
package netdump
