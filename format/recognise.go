package format

import (
	"bytes"

	"github.com/ibscope/ibscope/format/internal/lines"
)

// The functions below know lines that only one format has.

func isDatabaseLine(line []byte) bool {
	return startsWith(line, "START_NODES", "START_PORTS", "START_LINKS", "START_RUN_INFO", "# INDEX_TABLE offset")
}

func isLinkListLine(line []byte) bool {
	return startsWith(line, "{ CA", "{ SW", "{ RT", "{ Rt") && bytes.Contains(line, []byte(" SystemGUID:"))
}

func isNetDumpLine(line []byte) bool {
	return bytes.Contains(line, []byte(": IB# ")) || startsWith(line, "Ty ") && bytes.Contains(line, []byte(": #IB "))
}

func isLinkLine(line []byte) bool {
	return bytes.Contains(line, []byte("] ==(")) && bytes.Contains(line, []byte("==>")) && !startsWith(line, "Link info:")
}

func isCounterLine(line []byte) bool {
	return startsWith(line, "Errors for ", "Data Counters for ", "PortSelect:", "symbol_error_counter", "link_down_counter", "link_downed_counter") ||
		startsWith(line, "# Port") && bytes.Contains(line, []byte(" counters: "))
}

func isTableLine(line []byte) bool {
	return startsWith(line, "Unicast lids ") || bytes.Contains(line, []byte("dump_ucast_routes: Switch 0x"))
}

// isLIDLine is for a GUID and two LIDs, as OpenSM writes them.
func isLIDLine(line []byte) bool {
	words := bytes.Fields(line)
	if len(words) != 3 || len(words[0]) != 18 || len(words[1]) != 6 || len(words[2]) != 6 {
		return false
	}
	for _, w := range words {
		if _, ok := lines.Hex(w); !ok || !startsWith(w, "0x") {
			return false
		}
	}
	return true
}

func isSystemLine(line []byte) bool {
	return startsWith(line, "TOPSYSTEM ", "SYSTEM ", "SUBSYSTEM ", "NODE SW ", "NODE CA ")
}

// isPlanLine is for a cable of a .topo: P1 -> MTS2400 SW2 P3.
func isPlanLine(line []byte) bool {
	words := bytes.Fields(line)
	return len(words) == 5 && bytes.HasSuffix(words[1], []byte("->")) && !bytes.ContainsAny(words[0], ",;")
}
