// Package lftdump reads the unicast forwarding tables that dump_fts, dump_lfts
// and ibroute print.
package lftdump
