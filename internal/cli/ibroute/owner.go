package ibroute

import (
	"context"
	"fmt"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// owner is the port that has a LID.
type owner struct {
	kind ib.NodeType
	guid ib.GUID // of the port
	name string
	lid  int // the first of its LIDs
	lmc  uint8
}

// owners find the owners of LIDs.
type owners interface {
	// expect says which LID will be asked for; find answers.
	expect(lid int)
	find(lid int) (o owner, ok bool)
	// unknown is the text for a LID that nobody has.
	unknown() string
}

// infoWriter makes the text behind an output port. It goes up through the LIDs
// and remembers the last port that has several.
type infoWriter struct {
	owners
	brief bool
	last  int // of the LIDs of that port
	owner owner
	found *owner // of the LID that info was asked for last, nil for nobody
}

func (w *infoWriter) expect(lid int, valid bool) {
	if valid && !w.brief && lid > w.last {
		w.owners.expect(lid)
	}
}

func (w *infoWriter) info(lid int, valid bool) string {
	w.found = nil
	if !w.brief && lid <= w.last {
		w.found = &w.owner
	}
	switch {
	case w.brief:
		return ""
	case lid <= w.last && !valid:
		return fmt.Sprintf(": (path #%d - illegal port)", lid-w.owner.lid)
	case lid <= w.last && w.owner.guid == 0:
		return fmt.Sprintf(": (path #%d out of %d)", lid-w.owner.lid+1, w.last-w.owner.lid+1)
	case lid <= w.last:
		return fmt.Sprintf(": (path #%d out of %d: portguid 0x%016x)", lid-w.owner.lid+1, w.last-w.owner.lid+1, uint64(w.owner.guid))
	case !valid:
		return ": (illegal port)"
	}
	o, ok := w.find(lid)
	if !ok {
		return w.unknown()
	}
	w.found = &o
	if o.lmc > 0 {
		w.owner, w.last = o, o.lid+1<<o.lmc-1
	}
	return fmt.Sprintf(": (%s portguid 0x%016x: '%s')", kindName(o.kind), uint64(o.guid), o.name)
}

// kindName is the text of libibmad.
func kindName(t ib.NodeType) string {
	switch t {
	case ib.NodeCA:
		return "Channel Adapter"
	case ib.NodeSwitch:
		return "Switch"
	case ib.NodeRouter:
		return "Router"
	}
	return fmt.Sprintf("?(%d)", t)
}

// swept finds owners in a fabric.
type swept struct {
	*settings
	fabric *fabric.Fabric
}

func (*swept) expect(int) {}

func (*swept) unknown() string { return ": (node info not available fabric scan)" }

func (s *swept) find(lid int) (owner, bool) {
	p, ok := s.fabric.PortByLID(ib.LID(lid))
	if !ok {
		return owner{}, false
	}
	return owner{kind: p.Node().Type(), guid: p.GUID(), name: nodeName(s.settings, p.Node()), lid: int(p.LID()), lmc: p.LMC()}, true
}

func nodeName(s *settings, n *fabric.Node) string {
	desc := smp.NodeDescription{Description: n.RawDescription()}
	return diags.NodeName(s.namer, n.GUID(), desc.String())
}

// ownerTimeout is that of one try for a request to an owner: many LIDs of a table
// may have none any more.
const ownerTimeout = 100 * time.Millisecond

// asked finds owners by asking the LIDs: as many at once as a port may have LIDs
// that turn out not to be needed.
type asked struct {
	ctx    context.Context
	client *madrpc.Client
	*settings
	expected []int
	known    map[int]answer
}

// answer is what a LID told, or why it did not.
type answer struct {
	owner
	err error
}

// batch is how many owners are asked at once.
const batch = 16

func (a *asked) expect(lid int) { a.expected = append(a.expected, lid) }

func (*asked) unknown() string { return ": (unknown node and type)" }

func (a *asked) find(lid int) (owner, bool) {
	for len(a.expected) > 0 && a.expected[0] < lid {
		a.expected = a.expected[1:] // it was one of a port with several
	}
	if _, ok := a.known[lid]; !ok {
		n := min(batch, len(a.expected))
		a.ask(a.expected[:n])
		a.expected = a.expected[n:]
	}
	found := a.known[lid]
	if found.err != nil {
		a.RPCWarn(found.err)
	}
	return found.owner, found.err == nil
}

// ask asks several LIDs. Those that do not tell their description, which C asks
// for first, are not asked for more.
func (a *asked) ask(lids []int) {
	a.known = map[int]answer{}
	var live []int
	a.each(lids, smp.AttrNodeDescription, func(o *answer, data *[mad.DataSize]byte) {
		var desc smp.NodeDescription
		desc.Decode(data)
		o.name = desc.String()
	})
	for _, lid := range lids {
		if a.known[lid].err == nil {
			live = append(live, lid)
		}
	}
	a.each(live, smp.AttrPortInfo, func(o *answer, data *[mad.DataSize]byte) {
		var port smp.PortInfo
		port.Decode(data)
		o.lid, o.lmc = int(port.LID), port.LMC
	})
	a.each(live, smp.AttrNodeInfo, func(o *answer, data *[mad.DataSize]byte) {
		var node smp.NodeInfo
		node.Decode(data)
		o.kind, o.guid = node.NodeType, node.PortGUID
		o.name = diags.NodeName(a.namer, node.NodeGUID, o.name)
	})
}

// each asks LIDs for an attribute and has use take it into what is known.
func (a *asked) each(lids []int, attr mad.AttrID, use func(*answer, *[mad.DataSize]byte)) {
	prepare := func(i int, r *madrpc.Request) {
		r.Target, r.Timeout = mad.ByLID(ib.LID(lids[i])), ownerTimeout
		r.Packet.Init(r.Target.SMPClass(), mad.MethodGet, attr, 0)
	}
	for i, r := range madrpc.Ordered(a.ctx, a.client, len(lids), batch, prepare) {
		o := a.known[lids[i]]
		if r.Err != nil && o.err == nil {
			o.err = r.Err
		} else if r.Err == nil {
			use(&o, r.Packet.SMPData())
		}
		a.known[lids[i]] = o
	}
}
