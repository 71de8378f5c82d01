// Package lftdump reads unicast forwarding tables: what dump_fts, dump_lfts and
// ibroute print, and the files of OpenSM and ibdiagnet.
package lftdump
