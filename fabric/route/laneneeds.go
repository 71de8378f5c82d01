package route

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// LaneNeeds is what OnLanes asks Lanes about.
type LaneNeeds struct {
	Crossings []Crossing     // by switch, in the order of the fabric, and ports
	Sources   []*fabric.Port // of adapters, in the order of the fabric
}

// LaneNeeds tells what there is to know for OnLanes: nothing where there is no loop on
// one lane.
func (x *Examination) LaneNeeds() *LaneNeeds {
	if len(x.examiner.knots) == 0 {
		return &LaneNeeds{}
	}
	r := newLaneNeeds(x.examiner.f)
	x.OnLanes(r)
	n := &LaneNeeds{}
	for sw := range x.examiner.f.Switches() {
		ports := sw.NumPorts() + 1
		for i, asked := range r.crossings[sw.Index()] {
			if asked {
				n.Crossings = append(n.Crossings, Crossing{sw, uint8(i / ports), uint8(i % ports)})
			}
		}
	}
	for p := range x.examiner.f.Ports() {
		if q := p.Remote(); q != nil && sendsInto(q) && r.sources[q.Node().Index()] {
			n.Sources = append(n.Sources, p)
		}
	}
	return n
}

// laneNeeds are Lanes that note what is asked. One level on one lane passes everywhere,
// so that all is asked.
type laneNeeds struct {
	crossings [][]bool // by index of the switch, and of the crossing
	sources   []bool   // by index of the switch: the adapters there
}

func newLaneNeeds(f *fabric.Fabric) *laneNeeds {
	n := &laneNeeds{make([][]bool, f.NumNodes()), make([]bool, f.NumNodes())}
	for sw := range f.Switches() {
		ports := sw.NumPorts() + 1
		n.crossings[sw.Index()] = make([]bool, ports*ports)
	}
	return n
}

func (n *laneNeeds) Levels(from *fabric.Port, _ ib.LID) (sure, all uint16) {
	n.sources[from.Remote().Node().Index()] = true
	return 1, 1
}

func (n *laneNeeds) Lane(c Crossing, _ uint8) (uint8, bool) {
	n.crossings[c.Switch.Index()][c.index()] = true
	return 0, true
}
