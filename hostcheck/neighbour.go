package hostcheck

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/rdma"
)

// ends are the two ends of the cable, as far as they have answered.
type ends struct {
	own, peer         smp.NodeInfo
	ownPort, peerPort *smp.PortInfo
}

// checkNeighbourhood asks for the PortInfo of the port and, over the cable, for
// NodeInfo and PortInfo of the other end. NodeInfo is never protected by an
// M_Key, PortInfo may be: who answers the one and not the other has one.
func (c *portChecker) checkNeighbourhood(ctx context.Context, client *madrpc.Client, own smp.NodeInfo) {
	e := ends{own: own}
	ownPort, ownErr := madrpc.GetSMP[smp.PortInfo](ctx, client, mad.Target{}, uint32(c.port.Num))
	if ownErr == nil {
		e.ownPort = &ownPort
	}
	var peerErr error
	hasPeer := c.port.PhysState == ib.PhysLinkUp && c.device.NodeType != rdma.NodeSwitch
	if hasPeer {
		hasPeer = false
		path, err := ib.NewDRPath(int(own.LocalPort))
		if err == nil {
			e.peer, err = madrpc.GetSMP[smp.NodeInfo](ctx, client, mad.ByPath(path), 0)
		}
		c.checkNeighbour(ctx, &e.peer, err)
		if err == nil {
			hasPeer = true
			var info smp.PortInfo
			info, peerErr = madrpc.GetSMP[smp.PortInfo](ctx, client, mad.ByPath(path), uint32(e.peer.LocalPort))
			if peerErr == nil {
				e.peerPort = &info
			}
		}
	}
	if ctx.Err() == nil {
		c.checkMKey(&e, ownErr, peerErr)
	}
	if hasPeer && e.ownPort != nil && e.peerPort != nil {
		c.checkRate(&e)
	}
}

// checkNeighbour is about NodeInfo of the other end.
func (c *portChecker) checkNeighbour(ctx context.Context, peer *smp.NodeInfo, err error) {
	f := Finding{Check: Neighbour}
	switch {
	case err == nil:
		f.Text = fmt.Sprintf("The other end of the cable answers: a %v, node GUID %v, port %d.", peer.NodeType, peer.NodeGUID, peer.LocalPort)
		f.Evidence = []string{"Get NodeInfo by directed route: answered"}
	case ctx.Err() != nil:
		f.Severity, f.Text, f.Evidence = Warning, "The other end of the cable could not be asked in time.", []string{err.Error()}
	default:
		f.Severity = Warning
		f.Text = "The link is up, but the other end of the cable does not answer: its management agent hangs, or does not let this host ask."
		f.Evidence = []string{err.Error()}
		f.Remedy = []string{"# restart the switch or adapter at the other end; a switch may also filter SMPs from hosts"}
	}
	c.add(f)
}

// checkMKey tells whether an M_Key hides attributes.
func (c *portChecker) checkMKey(e *ends, ownErr, peerErr error) {
	f := Finding{Check: MKey, Text: "No M_Key hides attributes."}
	for _, end := range []struct {
		name string
		err  error
	}{{"itself", ownErr}, {"the other end", peerErr}} {
		if end.err == nil {
			continue
		}
		f.Severity = Warning
		f.Text = "PortInfo cannot be read where NodeInfo can."
		f.Remedy = []string{"# the agent is there but refuses: is its firmware up to date?"}
		if isSilence(end.err) {
			f.Text = "An M_Key seems to hide attributes: NodeInfo is answered, PortInfo is not."
			f.Remedy = []string{
				"ibscope discover --m-key ask  # with the key that the subnet manager sets (opensm.conf: m_key)",
				"# or protect less: m_key_protection_level 0 or 1 lets everybody read",
			}
		}
		f.Evidence = append(f.Evidence, fmt.Sprintf("Get PortInfo from %s: %v", end.name, end.err))
	}
	if p := e.ownPort; p != nil {
		f.Evidence = append(f.Evidence, fmt.Sprintf("PortInfo of the port: M_KeyViolations %d, M_KeyProtectBits %d", p.MKeyViolations, p.MKeyProtect))
		if p.MKeyViolations > 0 && p.MKeyViolations < 0xffff && f.Severity == OK {
			f.Severity = Note
			f.Text = fmt.Sprintf("The port has refused %s with a wrong M_Key: somebody asks with another key than the subnet manager's.", count(int(p.MKeyViolations), "request"))
		}
	}
	if len(f.Evidence) > 0 {
		c.add(f)
	}
}

// checkRate compares the link with what both ends support.
func (c *portChecker) checkRate(e *ends) {
	link, ok := e.link()
	if !ok || link.A.Active().Width == 0 {
		return
	}
	active, best := link.A.Active(), link.Best()
	f := Finding{
		Check: LinkRate, Text: "The link is as fast as both ends support: " + rateText(active) + ".",
		Evidence: []string{
			"PortInfo of the port: active " + rateText(active) + ", supported " + rateText(link.A.Supported()),
			"PortInfo of the other end: supported " + rateText(link.B.Supported()),
		},
	}
	if link.IsDegraded() {
		f.Severity = Warning
		f.Text = "The link runs at " + rateText(active) + "; both ends support " + rateText(best) + "."
		f.Remedy = append(c.cableRemedy("a bad lane or a dirty plug costs width, a long or old cable speed: clean or replace it"),
			"# does one end limit it on purpose? Compare LinkWidthEnabled and LinkSpeedEnabled of both (ibportstate)")
	}
	c.add(f)
}

// link makes a graph of the two ends: it knows how to judge a link.
func (e *ends) link() (fabric.Link, bool) {
	b := fabric.NewBuilder()
	add := func(n *smp.NodeInfo, info *smp.PortInfo) *fabric.Port {
		var raw [mad.DataSize]byte
		n.Encode(&raw)
		p := b.Port(b.AddNode(&raw), int(n.LocalPort))
		if p != nil {
			info.Encode(&raw)
			b.SetPortInfo(p, &raw)
		}
		return p
	}
	p, q := add(&e.own, e.ownPort), add(&e.peer, e.peerPort)
	if p == nil || q == nil {
		return fabric.Link{}, false
	}
	b.Link(p, q)
	b.Build()
	return fabric.Link{A: p, B: q}, true
}

// rateText is "4x EDR (100 Gb/s)"; of sets it is "1x or 4x SDR or DDR".
func rateText(r fabric.LinkRate) string {
	text := r.Width.String() + " " + r.Speed.String()
	if gbps := ib.RateGbps(r.Width, r.Speed); gbps > 0 {
		text += fmt.Sprintf(" (%.4g Gb/s)", gbps)
	}
	return text
}
