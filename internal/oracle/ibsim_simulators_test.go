package oracle_test

import (
	"slices"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// bareLines need no LIDs: the fabric as it is at power-on.
var bareLines = []string{
	"ibnetdiscover", "iblinkinfo", "ibroute -D 0,1", "ibroute -M -D 0,1", "sminfo -D 0",
	"smpquery nodeinfo -D 0", "smpquery nodeinfo -D 0,1", "smpquery nodedesc -D 0,1", "smpquery nodeinfo -D 0,1,1", "smpquery nodeinfo -D 0,9",
	"smpquery portinfo -D 0 1", "smpquery portinfo -D 0,1 0", "smpquery portinfo -D 0,1 1", "smpquery portinfo -D 0,1 8", "smpquery portinfo -D 0,1 99",
	"smpquery portinfo -D 0,1,1 1", "smpquery pie -D 0 1", "smpquery switchinfo -D 0,1", "smpquery switchinfo -D 0", "smpquery guids -D 0", "smpquery guids -D 0,1",
	"smpquery pkeys -D 0 1", "smpquery pkeys -D 0,1 0", "smpquery pkeys -D 0,1 1", "smpquery sl2vl -D 0 1", "smpquery sl2vl -D 0,1 1",
	"smpquery vlarb -D 0 1", "smpquery vlarb -D 0,1 0", "smpquery vlarb -D 0,1 1", "smpquery vlarb -D 0,1 8",
}

// fabricLines look at all of it.
var fabricLines = []string{
	"ibnetdiscover", "ibnetdiscover -p", "ibnetdiscover -l", "ibnetdiscover -S", "ibnetdiscover -H", "ibnetdiscover -R", "ibnetdiscover -g",
	"ibnetdiscover -f", "ibnetdiscover -m", "ibnetdiscover -s", "ibnetdiscover -v", "ibnetdiscover -e", "ibnetdiscover -g -f -m", "ibnetdiscover -p -f",
	"ibnetdiscover -o 1", "ibnetdiscover -o 2", "ibnetdiscover -o 32", "ibnetdiscover -o 128",
	"iblinkinfo", "iblinkinfo -l", "iblinkinfo -d", "iblinkinfo -p", "iblinkinfo --switches-only", "iblinkinfo -D 0,1", "iblinkinfo -v",
	"dump_fts", "dump_fts -M", "dump_fts -n", "dump_fts -a", "sminfo", "sminfo -D 0", "sminfo -D 0,1", "sminfo 2", "smpquery nodeinfo 777", "ibaddr", "ibaddr 2", "ibaddr -D 0,1",
}

// nodeLines ask the node with one LID for its attributes.
var nodeLines = []string{
	"smpquery nodeinfo %d", "smpquery nodedesc %d", "smpquery portinfo %d 0", "smpquery portinfo %d 1", "smpquery pie %d 1", "smpquery switchinfo %d",
	"smpquery pkeys %d 0", "smpquery pkeys %d 1", "smpquery sl2vl %d 0", "smpquery sl2vl %d 1", "smpquery vlarb %d 0", "smpquery vlarb %d 1", "smpquery guids %d",
}

// someLines ask some nodes for their counters, and for ways.
var someLines = []string{
	"ibroute %d", "ibroute -M %d", "ibroute -n %d", "ibroute -a %d", "ibtracert 1 %d", "ibtracert %d 2", "ibtracert -n 3 %d",
	"perfquery -R -x %d 1", "perfquery -R -a %d", "perfquery %d 1", "perfquery -x %d 1", "perfquery -a %d", "perfquery -E %d 1", "perfquery -D %d 1",
	"perfquery --oprcvcounters %d 1", "perfquery --flowctlcounters %d 1", "perfquery --vloppackets %d 1",
	"perfquery --vlxmitflowctlerrors %d 1", "perfquery --vlxmitcounters %d 1",
}

// TestSimulators: C tools see the same by our simulator as by ibsim, of the same
// file, before and after OpenSM has been there; but for what is intended.
func TestSimulators(t *testing.T) {
	d := newDifferences()
	for _, fabric := range []struct {
		name, file, host string
		nodes, some      []int // LIDs
		lines            []string
	}{
		{
			"fat tree", exported(t, "sim:fattree?levels=2&radix=8&hosts=16&speed=edr"), "node0001 mlx5_0",
			[]int{1, 2, 3, 5, 6, 7, 8, 12, 20, 22},
			[]int{1, 5, 8},
			append(slices.Clip(nodeLines), "smpquery mepi %d 1"), // vendor 0, as in the example, has no such attribute
		},
		{"example", testenv.Example(t, "net"), "Hca1", []int{1, 3, 5}, []int{2}, nodeLines},
	} {
		t.Run(fabric.name, func(t *testing.T) {
			w := startTwins(t, fabric.file, fabric.host)
			w.alike(t, d, bareLines...)
			w.manage(t)
			w.alike(t, d, fabricLines...)
			w.alikeAt(t, d, fabric.nodes, fabric.lines)
			w.alikeAt(t, d, fabric.some, someLines)
		})
	}
	d.allFound(t)
}
