package cache

import (
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// build makes a fabric of the records.
func (d *decoder) build() (*fabric.Fabric, error) {
	for i := range slices.Backward(d.nodes) { // the newest node stands first
		d.addNode(&d.nodes[i])
	}
	unclaimed := newChains[claim](len(d.ports))
	for i := range slices.Backward(d.ports) {
		unclaimed.push(claim{d.ports[i].owner(), d.ports[i].key()}, i)
	}
	for i := range d.nodes {
		d.claimPorts(&d.nodes[i], unclaimed)
	}
	for i := range d.ports {
		if p := &d.ports[i]; p.port == nil {
			d.problem(p.offset, p.owner(), int(p.key().num), "is in no node's list of ports")
		}
	}
	d.link()
	if err := d.setStart(); err != nil {
		return nil, err
	}
	d.b.SetSweep(fabric.Sweep{Source: "file:" + d.name, MaxHops: d.maxHops})
	return d.b.Build(), nil
}

// addNode adds a node. Where the record and the NodeInfo in it disagree on what
// both tell, the record holds, as in C.
func (d *decoder) addNode(n *nodeRecord) {
	info := [64]byte(n.raw[offNodeInfo:])
	was := info
	be.PutUint64(info[offInfoGUID:], uint64(n.guid()))
	info[offInfoType] = n.raw[offNodeType]
	info[offInfoNumPorts] = n.raw[offNodeNumPorts]
	if info != was {
		d.problem(n.offset, n.guid(), -1, "has another GUID, type or number of ports in its NodeInfo than in its record")
	}
	n.node = d.b.AddNode(&info)
	if desc := [64]byte(n.raw[offDescription:]); desc != [64]byte{} {
		d.b.SetDescription(n.node, &desc)
	}
	if sw := [64]byte(n.raw[offSwitchInfo:]); sw != [64]byte{} && n.node.Type() == ib.NodeSwitch {
		d.b.SetSwitchInfo(n.node, &sw)
	}
}

// claim is what a node's list of ports and a port record must agree on.
type claim struct {
	node ib.GUID
	port portKey
}

// claimPorts gives a node the ports in its list.
func (d *decoder) claimPorts(n *nodeRecord, unclaimed *chains[claim]) {
	for _, key := range n.keys {
		i := unclaimed.pop(claim{n.guid(), key})
		switch {
		case i < 0:
			d.problem(n.offset, n.guid(), int(key.num), "with GUID %s has no record of its own", key.guid)
		case int(key.num) > n.node.NumPorts():
			d.problem(n.offset, n.guid(), int(key.num), "is beyond the %d ports of the node", n.node.NumPorts())
		case n.node.Port(int(key.num)) != nil:
			d.problem(n.offset, n.guid(), int(key.num), "is twice in the node's list of ports")
		default:
			d.addPort(n, &d.ports[i])
		}
	}
}

func (d *decoder) addPort(n *nodeRecord, p *portRecord) {
	p.port = d.b.Port(n.node, int(p.key().num))
	d.b.SetPortGUID(p.port, p.key().guid)
	if info := p.info(); *info != [64]byte{} {
		d.b.SetPortInfo(p.port, info)
	}
	d.b.SetInfoOrder(p.port, p.order)
}

// setStart finds the port that the sweep started from, or at least a port of
// that node.
func (d *decoder) setStart() error {
	i := slices.IndexFunc(d.nodes, func(n nodeRecord) bool { return n.guid() == d.from })
	if i < 0 {
		return d.fail(offFromGUID, "node "+d.from.String(), ErrStart)
	}
	n := d.nodes[i].node
	start := n.Port(int(n.Info().LocalPort))
	if start == nil {
		for p := range n.Ports() {
			start = p
			break
		}
	}
	if start == nil {
		start = d.b.Port(n, min(1, n.NumPorts()))
	}
	d.b.SetStart(start)
	return nil
}
