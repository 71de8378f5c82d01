package oracle_test

import (
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

var ibsysstatLines = []string{
	"", "-h", "-Z", "-D 3", "3", "3 ping", "3 host", "3 cpu", "2 host", "3 nosuch", "3 pingx", "3 ping more", "-S 3 nosuch", "0", "x", "0xc000", "1", "99", "99 host",
	"-o 5 3", "-o 0x1405 3 host", "-t 100 3", "-t 0 3", "-e 99", "-G 0 host", "-G 0x99 host", "-L 3 cpu", "-v 3 host", "--oui 5135 3", "--ou=5135 3 host",
}

func TestIbsysstat(t *testing.T) {
	testenv.Need(t, "ibsim", "ibsysstat", "umad2sim")
	s := serve(t, "sim:star?hosts=3&ping=all")
	for _, line := range ibsysstatLines {
		t.Run(line, func(t *testing.T) { sideBySide(t, s.Ibsim, s.Ibsim, "", "ibsysstat "+line, nil) })
	}
}
