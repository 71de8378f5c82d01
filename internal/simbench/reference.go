package simbench

import (
	"context"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// The reference is a sweep by libibnetdisc's policy: one line of requests, two in
// flight, four tries of one second each; NodeInfo, then NodeDescription, and of a
// switch SwitchInfo and PortInfo of port 0; with that PortInfo of all ports; behind
// each port that is up NodeInfo, also where the far end has been there before. What
// is lost is lost with all behind it.
type reference struct {
	queue    *madrpc.Queue
	line     []question
	inFlight int
	builder  *fabric.Builder
	nodes    map[ib.GUID]*referenceNode
}

const (
	referenceWindow  = 2
	referenceTimeout = time.Second
	referenceRetries = 3
)

// referenceNode is a node met, with the way on which it was met first.
type referenceNode struct {
	*fabric.Node
	path    ib.DRPath
	isStart bool
}

// question is a request of the line. Node is who is asked, or for NodeInfo who is at
// the near end of port; nil for the start.
type question struct {
	attr mad.AttrID
	node *referenceNode
	port int
}

var (
	attrNodeInfo    = (*smp.NodeInfo)(nil).AttrID()
	attrDescription = (*smp.NodeDescription)(nil).AttrID()
	attrSwitchInfo  = (*smp.SwitchInfo)(nil).AttrID()
	attrPortInfo    = (*smp.PortInfo)(nil).AttrID()
)

func runReference(ctx context.Context, t madrpc.Transport) (*fabric.Fabric, error) {
	client := madrpc.New(t, &madrpc.Options{
		MaxOutstanding: referenceWindow, MaxPerTarget: -1, Timeout: referenceTimeout, Retries: referenceRetries,
	})
	defer client.Close()
	r := &reference{queue: client.NewQueue(), builder: fabric.NewBuilder(), nodes: map[ib.GUID]*referenceNode{}}
	r.ask(attrNodeInfo, nil, 0)
	for r.send(); r.inFlight > 0; r.send() {
		done, err := r.queue.Next(ctx)
		if err != nil {
			return r.builder.Build(), err
		}
		r.inFlight--
		if done.Err == nil {
			r.answered(done.Tag.(question), done.Packet.SMPData())
		}
	}
	return r.builder.Build(), nil
}

func (r *reference) ask(attr mad.AttrID, n *referenceNode, port int) {
	r.line = append(r.line, question{attr, n, port})
}

func (r *reference) send() {
	for r.inFlight < referenceWindow && len(r.line) > 0 {
		q := r.line[0]
		r.line = r.line[1:]
		request := &madrpc.Request{Tag: q, Target: mad.ByPath(q.path())}
		modifier := uint32(0)
		if q.attr == attrPortInfo {
			modifier = uint32(q.port)
		}
		request.Packet.Init(request.Target.SMPClass(), mad.MethodGet, q.attr, modifier)
		r.inFlight++
		r.queue.Start(request)
	}
}

// path is the way of a question.
func (q question) path() ib.DRPath {
	if q.node == nil {
		return ib.DRPath{}
	}
	if q.attr == attrNodeInfo {
		longer, _ := q.node.path.Append(uint8(q.port))
		return longer
	}
	return q.node.path
}

func (r *reference) answered(q question, data *[mad.DataSize]byte) {
	switch q.attr {
	case attrNodeInfo:
		r.nodeInfo(q, data)
	case attrDescription:
		r.builder.SetDescription(q.node.Node, data)
	case attrSwitchInfo:
		r.builder.SetSwitchInfo(q.node.Node, data)
	case attrPortInfo:
		r.portInfo(q, data)
	}
}

func (r *reference) nodeInfo(q question, data *[mad.DataSize]byte) {
	var info smp.NodeInfo
	info.Decode(data)
	n := r.nodes[info.NodeGUID]
	isNew := n == nil
	if isNew {
		n = &referenceNode{Node: r.builder.AddNode(data), path: q.path(), isStart: q.node == nil}
		r.nodes[info.NodeGUID] = n
	}
	p := r.builder.Port(n.Node, int(info.LocalPort))
	if q.node != nil {
		r.builder.Link(q.node.Port(q.port), p)
	}
	if isNew {
		r.ask(attrDescription, n, 0)
	}
	switch {
	case info.NodeType != ib.NodeSwitch:
		r.ask(attrPortInfo, n, int(info.LocalPort))
	case isNew:
		r.ask(attrSwitchInfo, n, 0)
		r.ask(attrPortInfo, n, 0)
	}
}

func (r *reference) portInfo(q question, data *[mad.DataSize]byte) {
	n := q.node
	p := r.builder.Port(n.Node, q.port)
	r.builder.SetPortInfo(p, data)
	isSwitch := n.Type() == ib.NodeSwitch
	if isSwitch && q.port == 0 {
		for port := range n.NumPorts() {
			r.ask(attrPortInfo, n, port+1)
		}
	}
	isArrival := q.port == int(n.Info().LocalPort)
	if q.port != 0 && p.PhysState() == ib.PhysLinkUp && (isSwitch && !isArrival || n.isStart && isArrival) {
		r.ask(attrNodeInfo, n, q.port)
	}
}
