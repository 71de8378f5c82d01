package gen

import "fmt"

// Parameters that several generators have.
var (
	speedParam  = Param{"speed", "of a lane", speedNames(), "hdr"}
	sharpParam  = Param{"sharp", "aggregation nodes, on one more port of each switch", "yes, no", "no"}
	vfsParam    = Param{"vfs", "virtual ports of an adapter", fmt.Sprintf("0…%d", maxVFs), "0"}
	cablesParam = Param{"cables", "between neighbours", upto(maxCables), "1"}
)

// upto is the range of numbers from 1.
func upto(most int) string { return fmt.Sprintf("1…%d", most) }

// evenFrom is a range of even numbers.
func evenFrom(low, high int) string { return fmt.Sprintf("even, %d…%d", low, high) }

const asManyAsFit = "as many as fit"

// Generators lists what Parse knows.
func Generators() []Generator {
	return []Generator{
		{"fattree", "folded Clos network", "fattree?levels=3&radix=64&hosts=1024&speed=ndr", []Param{
			{"levels", "of switches", upto(maxLevels), "2"},
			{"radix", "ports of a switch", evenFrom(2, maxRadix), "40, split 80 or 128"},
			{"hosts", "", "1…as many as fit", asManyAsFit},
			{"hcas", "adapters of a host", upto(maxHCAs), "rails"},
			{"rails", "leaf switches that the adapters of a host are spread over", upto(maxRails), "1"},
			{"uplinks", "of a leaf switch", "1…radix-1", "radix/2"},
			{"oversub", "instead of uplinks: ports down of a leaf for each up", fmt.Sprintf("1…%d or as 3:1", maxOversub), "1"},
			speedParam,
			{"width", "of a link", widthNames, "4x, split 2x"},
			{"split", "each switch port into two of 2x; hdr and ndr", "yes, no", "no"},
			sharpParam, vfsParam,
		}, buildFatTree},
		{"gpupod", "rail-optimised pod of GPU servers", "gpupod?units=4&storage=16", []Param{
			{"units", "scalable units", "1…max(radix/rails, radix/2)", "1"},
			{"hosts", "servers of a unit", "1…radix/2", "radix/2"},
			{"rails", "adapters of a server, leaf switches of a unit", upto(maxRails) + ", at most radix", "8"},
			{"radix", "ports of a switch", evenFrom(4, maxRadix), "64"},
			{"speed", "of a lane", speedNames(), "ndr"},
			{"sharp", "aggregation nodes, on one more port of each switch", "yes, no", "yes from edr on"},
			{"storage", "storage servers, on a rail with a subnet of its own", "0…radix²/2 less the servers", "0"},
			vfsParam,
		}, buildGPUPod},
		{"dragonfly+", "groups of leaf and spine switches, joined by their spines", "dragonfly+?groups=6&leaves=8&spines=8&speed=ndr", []Param{
			{"groups", "", upto(maxGroups), "4"},
			{"leaves", "leaf switches of a group", upto(253), "4"},
			{"spines", "spine switches of a group", upto(253), "leaves"},
			{"hosts", "on each leaf", upto(253), "spines"},
			{"global", "links of each spine to other groups", upto(253), "leaves"},
			speedParam, sharpParam,
		}, buildDragonflyPlus},
		{"dragonfly", "groups of switches that are all joined", "dragonfly?switches=8", []Param{
			{"groups", "", upto(maxGroups), "switches·global+1"},
			{"switches", "of a group", upto(253), "4"},
			{"hosts", "on each switch", upto(253), "switches/2"},
			{"global", "links of each switch to other groups", upto(253), "switches/2"},
			speedParam,
		}, buildDragonfly},
		{"torus", "torus or mesh of any dimensions", "torus?dims=8x8x4", []Param{
			{"dims", "switches in each dimension", fmt.Sprintf("as 4x4x2, up to %d of 1…%d", maxDims, maxSize), "4x4"},
			{"hosts", "on each switch", upto(maxRadix), "1"},
			cablesParam,
			{"wrap", "from the last switch to the first; no makes a mesh", "yes, no", "yes"},
			speedParam,
		}, buildTorus},
		{"hypercube", "hypercube", "hypercube?dims=6", []Param{
			{"dims", "dimensions", upto(16), "3"},
			{"hosts", "on each switch", upto(maxRadix), "1"},
			cablesParam, speedParam,
		}, buildHypercube},
		{"hyperx", "lattice with links between all switches in a row", "hyperx?shape=4x6&hosts=8", []Param{
			{"shape", "switches in each dimension", fmt.Sprintf("as 4x4x2, up to %d", maxDims), "4x4"},
			{"hosts", "on each switch", upto(maxRadix), "1"},
			cablesParam, speedParam,
		}, buildHyperX},
		{"director", "director switches: chassis with line and spine modules", "director?model=cs7500&lines=4", []Param{
			{"model", "is5600, sx6536, cs7500 and mcs8500 of Mellanox, isr9288 and isr2012 of Voltaire", directorNames(), "is5600"},
			{"chassis", "each with a cable to the next", upto(maxChassis), "1"},
			{"lines", "line modules of a chassis", "1…all slots", "all slots"},
			{"spines", "spine modules of a chassis", "1…all slots", "all slots"},
			{"hosts", "on the front of all chassis", "1…as many as fit", asManyAsFit},
		}, buildDirector},
		{"subnets", "subnets joined by routers", "subnets?subnets=3&routers=2", []Param{
			{"subnets", "", upto(maxSubnets), "2"},
			{"routers", "with a port in each subnet", upto(maxRouters), "1"},
			{"hosts", "of each subnet", "1…as many as fit", "8"},
			{"levels", "of switches in a subnet", upto(maxLevels), "2"},
			{"radix", "ports of a switch", evenFrom(2, maxRadix), "8"},
			speedParam,
		}, buildSubnets},
		{"xdrplanes", "XDR fabric of several planes", "xdrplanes?hosts=36&radix=36", []Param{
			{"planes", "", fmt.Sprintf("2…%d", maxPlanes), "4"},
			{"levels", "of switches", upto(maxLevels), "2"},
			{"radix", "ports of a switch chip for hosts and links", evenFrom(2, 250), "144"},
			{"hosts", "", "1…as many as fit", "144, or as many as fit"},
			{"hcas", "adapters of a host", upto(maxHCAs), "1"},
			{"sharp", "aggregation nodes", "yes, no", "yes"},
			{"gsi", "also the GSI devices of the machines, which have no cable", "yes, no", "no"},
		}, buildPlanes},
		{"line", "switches in a row, each with a host", "line?switches=8", []Param{
			{"switches", "", upto(maxRow), "4"}, speedParam,
		}, buildLine},
		{"ring", "switches in a ring, each with a host", "ring?switches=8", []Param{
			{"switches", "", upto(maxRow), "4"}, speedParam,
		}, buildRing},
		{"star", "one switch with hosts", "star?hosts=16", []Param{
			{"hosts", "", upto(maxRadix), "4"}, speedParam,
		}, buildStar},
	}
}
