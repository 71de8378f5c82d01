//go:build linux

package simexec

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// TestSubnetAdministration: unmodified programs ask the simulated subnet
// manager, for tables of thousands of records too.
func TestSubnetAdministration(t *testing.T) {
	testenv.Need(t, "saquery", "ibaddr", "ibtracert", "sminfo")
	const large = "sim:fattree?levels=3&radix=36&hosts=5000"
	for _, tt := range []struct {
		uri, argv, part string
		count           int
	}{
		{large, "saquery -t 20000 NR", "NodeRecord dump:", 5728},
		{large, "saquery -t 20000 LR", "LinkRecord dump:", 30376},
		{large, "ibtracert 4000 3000", "-> ca port", 1},
		{"sim:fattree?levels=2&radix=4", "saquery PR", "PathRecord dump:", 14 * 14},
		{"sim:fattree?levels=2&radix=4", "saquery PIR", "PortInfoRecord dump:", 38},
		{"sim:fattree?levels=2&radix=4", "saquery --smkey 1 PKTR 7/1/0", "PKeyTableRecord dump:", 1},
		{"sim:fattree?levels=2&radix=4", "saquery -g", "ff12:401b:ffff::ffff:ffff", 1},
		{"sim:fattree?levels=2&radix=4", "saquery -s", "PortInfoRecord dump:", 1},
		{"sim:fattree?levels=2&radix=4", "sminfo", "SMINFO_MASTER", 1},
		{"sim:fattree?levels=2&radix=4", "ibaddr -G 0xb83fd2030000000c", "LID start 0x8 end 0x8", 1},
	} {
		if got := strings.Count(runOK(t, tt.uri, strings.Fields(tt.argv)...), tt.part); got != tt.count {
			t.Errorf("%s on %s: %d times %q, want %d", tt.argv, tt.uri, got, tt.part, tt.count)
		}
	}
}
