package lab

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// withoutDevices are commands on a kernel that has the modules and no devices.
var withoutDevices = []comparison{
	{line: "ibv_devices", shows: "node GUID"},
	{line: "ibv_devinfo", fails: 255, shows: "No IB devices found"},
	{line: "ibv_devinfo -l", shows: "0 HCAs found"},
	{line: "ibstat"},
	{line: "ibstat -l"},
	{line: "ibstat mlx5_0", fails: 255, shows: "can't be found"},
	{line: "ibstatus", fails: 255, shows: "sys files not found"},
	{line: "ibaddr", fails: 255, ownWords: true},
	{line: "ibnetdiscover", fails: 255, ownWords: true},
}

// onFabric are commands on a port of a simulated fabric of 121 nodes.
var onFabric = []comparison{
	{line: "ibstat", shows: "Rate: 200"},
	{line: "ibstat -l", shows: "mlx5_0"},
	{line: "ibstat -p", shows: "0x"},
	{line: "ibstat -s", shows: "CA type"},
	{line: "ibstat mlx5_0 1", shows: "Active"},
	{line: "ibstat mlx5_0 2", fails: 255},
	{line: "ibstatus", shows: "4: ACTIVE"},
	{line: "ibstatus mlx5_0:1", shows: "200 Gb/sec"},
	{line: "ibaddr", shows: "LID start"},
	{line: "ibaddr -g", shows: "GID fe80::"},
	{line: "ibaddr -l", shows: "LID start"},
	{line: "ibaddr -L", shows: "LID start"},
	{line: "ibaddr 20", shows: "LID start"},
	{line: "ibaddr -D 0,1", shows: "GID fe80::"},
	{line: "ibaddr -D 0,1,9,1", shows: "GID fe80::"},
	{line: "ibaddr -C mlx5_0 -P 1", shows: "GID fe80::"},
	{line: "ibaddr -C nosuch", fails: 255, ownWords: true},
	{line: "ibaddr -D 0,30", fails: 255, ownWords: true}, // nobody there: a timeout
	{line: "ibaddr -t 50 1000", fails: 255, ownWords: true},
	{line: "ibnetdiscover", shows: "4xHDR"},
	{line: "ibnetdiscover -p", shows: "HDR"},
	{line: "ibnetdiscover -H", shows: "Ca"},
	{line: "ibnetdiscover -C mlx5_0 -P 1", shows: "4xHDR"},
	{line: "ibhosts", shows: "node0001"},
	{line: "smpquery nodeinfo -D 0", shows: "NumPorts"},
	{line: "smpquery nodeinfo -D 0,1", shows: "Switch"},
	{line: "smpquery nodedesc 20", shows: "Node Description"},
	{line: "smpquery portinfo -D 0,1 2", shows: "LinkState"},
	{line: "smpquery switchinfo -D 0,1", shows: "LinearFdbCap"},
	{line: "smpquery -c nodeinfo 1 0", shows: "NumPorts"},
	{line: "smpquery nodeinfo -D 0,30", fails: 255, ownWords: true},
	{line: "sminfo", shows: "SMINFO_MASTER"},
}

// onLossyFabric are commands on the same fabric with 1 % of packets lost: the
// kernel's timeouts and the retries of both have to make up for it.
var onLossyFabric = []comparison{
	{line: "ibnetdiscover -t 200", shows: "4xHDR", anyOrder: true},
	{line: "ibnetdiscover -p -t 200 -o 4", shows: "HDR", anyOrder: true},
	{line: "ibaddr -D 0,1", shows: "GID fe80::"},
}

const (
	fabricURI = "sim:fattree?levels=2&radix=16&hosts=100"
	lossyURI  = fabricURI + "&loss=1%&seed=7"
)

// TestCUSE compares the C tools with ours through the same character device,
// behind which is the simulator. It is one boot.
func TestCUSE(t *testing.T) {
	need(t)
	dir := t.TempDir()
	g := &Guest{NoRXE: true}
	if err := g.AddIbscope(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if err := g.AddCuseport(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	g.Script = functions +
		script("none", withoutDevices) +
		"cuseport " + Quote(fabricURI) + " || exit 1\n" +
		script("fabric", onFabric) +
		"umount /sys/class/infiniband /sys/class/infiniband_mad /run/cuseport && sleep 1 || exit 2\n" +
		"cuseport " + Quote(lossyURI) + " || exit 3\n" +
		script("lossy", onLossyFabric) +
		"exit 0\n"
	r := runGuest(t, g)
	t.Run("none", func(t *testing.T) { compare(t, r, "none", withoutDevices) })
	t.Run("fabric", func(t *testing.T) { compare(t, r, "fabric", onFabric) })
	t.Run("lossy", func(t *testing.T) { compare(t, r, "lossy", onLossyFabric) })
	t.Run("complete", func(t *testing.T) { sameFabric(t, r) })
}

// sameFabric: what was found through the lossy port is all that was found before.
func sameFabric(t *testing.T, r *Result) {
	whole, lossy := stdoutOf(t, r, "fabric", onFabric), stdoutOf(t, r, "lossy", onLossyFabric)
	if n := strings.Count(whole, "\nswitchguid=") + strings.Count(whole, "\ncaguid="); n < 100 {
		t.Errorf("the fabric has only %d nodes", n)
	}
	if sortLines(whole) != sortLines(lossy) {
		t.Error("losses have changed what C finds")
	}
}

// stdoutOf is what the first plain ibnetdiscover of a group printed, that of C.
func stdoutOf(t *testing.T, r *Result, group string, list []comparison) string {
	t.Helper()
	i := slices.IndexFunc(list, func(c comparison) bool {
		return c.line == "ibnetdiscover" || strings.HasPrefix(c.line, "ibnetdiscover -t")
	})
	s, ok := readSide(t, filepath.Join(r.Out, name(group, i), "c"))
	if !ok {
		t.Fatal("the guest did not run it")
	}
	return s.Stdout
}
