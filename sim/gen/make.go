package gen

import "github.com/ibscope/ibscope/fabric"

// The functions below turn the parameters of a text into options.

func made[O any](p *params, o O, maker func(O) (*fabric.Fabric, error)) (*fabric.Fabric, error) {
	if p.err != nil {
		return nil, p.err
	}
	return maker(o)
}

func buildFatTree(p *params) (*fabric.Fabric, error) {
	return made(p, FatTreeOptions{
		Levels: p.number("levels"), Radix: p.number("radix"), Hosts: p.number("hosts"), HCAs: p.number("hcas"),
		Rails: p.number("rails"), Uplinks: p.number("uplinks"), Oversub: p.ratio("oversub"), Speed: p.speed(),
		Width: p.width(), Split: p.flag("split", false), SHARP: p.flag("sharp", false), VFs: p.count("vfs"),
	}, FatTree)
}

func buildGPUPod(p *params) (*fabric.Fabric, error) {
	return made(p, GPUPodOptions{
		Units: p.number("units"), Hosts: p.number("hosts"), Rails: p.number("rails"), Radix: p.number("radix"),
		Speed: p.speed(), NoSHARP: !p.flag("sharp", true), Storage: p.count("storage"), VFs: p.count("vfs"),
	}, GPUPod)
}

func buildDragonflyPlus(p *params) (*fabric.Fabric, error) {
	return made(p, DragonflyPlusOptions{
		Groups: p.number("groups"), Leaves: p.number("leaves"), Spines: p.number("spines"), Hosts: p.number("hosts"),
		Global: p.number("global"), Speed: p.speed(), SHARP: p.flag("sharp", false),
	}, DragonflyPlus)
}

func buildDragonfly(p *params) (*fabric.Fabric, error) {
	return made(p, DragonflyOptions{
		Groups: p.number("groups"), Switches: p.number("switches"), Hosts: p.number("hosts"),
		Global: p.number("global"), Speed: p.speed(),
	}, Dragonfly)
}

func buildTorus(p *params) (*fabric.Fabric, error) {
	o := latticeOptions(p)
	o.Sizes, o.Open = p.sizes("dims"), !p.flag("wrap", true)
	return made(p, o, Torus)
}

func buildHyperX(p *params) (*fabric.Fabric, error) {
	o := latticeOptions(p)
	o.Sizes = p.sizes("shape")
	return made(p, o, HyperX)
}

func buildHypercube(p *params) (*fabric.Fabric, error) {
	dims := p.number("dims")
	fill(&dims, 3)
	return made(p, latticeOptions(p), func(o LatticeOptions) (*fabric.Fabric, error) { return Hypercube(dims, o) })
}

func latticeOptions(p *params) LatticeOptions {
	return LatticeOptions{Hosts: p.number("hosts"), Cables: p.number("cables"), Speed: p.speed()}
}

func buildDirector(p *params) (*fabric.Fabric, error) {
	return made(p, DirectorOptions{
		Model: p.values.Get("model"), Chassis: p.number("chassis"), Lines: p.number("lines"),
		Spines: p.number("spines"), Hosts: p.number("hosts"),
	}, Director)
}

func buildSubnets(p *params) (*fabric.Fabric, error) {
	return made(p, SubnetsOptions{
		Subnets: p.number("subnets"), Routers: p.number("routers"), Hosts: p.number("hosts"),
		Levels: p.number("levels"), Radix: p.number("radix"), Speed: p.speed(),
	}, Subnets)
}

func buildPlanes(p *params) (*fabric.Fabric, error) {
	return made(p, PlanesOptions{
		Planes: p.number("planes"), Levels: p.number("levels"), Radix: p.number("radix"), Hosts: p.number("hosts"),
		HCAs: p.number("hcas"), NoSHARP: !p.flag("sharp", true), GSI: p.flag("gsi", false),
	}, Planes)
}

func buildLine(p *params) (*fabric.Fabric, error) { return buildRow("line", p) }
func buildRing(p *params) (*fabric.Fabric, error) { return buildRow("ring", p) }

func buildRow(op string, p *params) (*fabric.Fabric, error) {
	n, speed := p.number("switches"), p.speed()
	fill(&n, 4)
	if p.err != nil {
		return nil, p.err
	}
	return row(op, n, speed)
}

func buildStar(p *params) (*fabric.Fabric, error) {
	n, speed := p.number("hosts"), p.speed()
	fill(&n, 4)
	if p.err != nil {
		return nil, p.err
	}
	return star(n, speed)
}
