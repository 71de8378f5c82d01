package oracle_test

import (
	"regexp"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// ibpingLines: LIDs 2, 3 and 4 are hosts with servers, 1 is a switch.
var ibpingLines = []string{
	"", "-h", "-Z", "-D 3", "-y 3", "-c", "-f -c 3 3", "-f -c 1 2", "-f -c 1 1", "-f -c 2 99", "-f -c 1 0", "-f -c 1 x", "-f -c 1 0xc000", "-c 0 3", "-c x 3",
	"-f -c 0x2 3", "-f -c 010 3", "-fc 2 3 more", "-f -c 1 -e 99", "-f -c 1 -o 5 3", "-f -c 1 -o 0x001405 3", "-f -c 1 -o 0 3", "-f -c 1 -o 0xff001405 3",
	"-f -c 1 -G 0", "-f -c 1 -G 0x99", "-f -c 1 -t 100 3", "-t 0 3", "-t x 3", "--count=1 --flood 3", "--cou 1 --fl 3", "-f -c 1 -L 3", "-c 1 3", "-v -f -c 1 3", "-s 2 -f -c 1 3", "-s 0 3",
}

var (
	pongTime = regexp.MustCompile(`time \d+\.\d{3} ms`)
	allTime  = regexp.MustCompile(`, time \d+ ms`)
	rttTimes = regexp.MustCompile(`= [\d./]+ ms`)
)

// timeless takes out how long it took.
func timeless(s string) string {
	s = pongTime.ReplaceAllString(s, "time T ms")
	s = allTime.ReplaceAllString(s, ", time T ms")
	return rttTimes.ReplaceAllString(s, "= T ms")
}

func TestIbping(t *testing.T) {
	testenv.Need(t, "ibsim", "ibping", "umad2sim")
	s := serve(t, "sim:star?hosts=3&ping=all")
	for _, line := range ibpingLines {
		t.Run(line, func(t *testing.T) { sideBySide(t, s.Ibsim, s.Ibsim, "", "ibping "+line, timeless) })
	}
}
