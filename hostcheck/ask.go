package hostcheck

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/rdma"
)

// ask opens the port and asks the agents next to it.
func (c *portChecker) ask(ctx context.Context) {
	t, ok := c.connect(ctx)
	if !ok {
		return
	}
	client := madrpc.New(t, c.client())
	defer client.Close()
	info, ok := c.checkSMI(ctx, client)
	if !ok {
		return
	}
	c.checkNeighbourhood(ctx, client, info)
	if c.port.LinkLayer.IsInfiniBand() && c.port.State == ib.PortActive && c.isKnown("sm_lid") {
		c.checkSM(ctx, client)
	}
}

// connect opens the port for MADs.
func (c *portChecker) connect(ctx context.Context) (madrpc.Transport, bool) {
	name := c.port.UmadPath()
	if name == "" && c.Connect == nil {
		c.add(Finding{
			Check: UmadFile, Severity: c.stuck(), Text: "The kernel has made no device file for MADs for this port.",
			Evidence: []string{c.host.sys("class/infiniband_mad") + ": no entry for " + portName(c.port)},
			Remedy:   []string{"dmesg | grep -i -e umad -e " + word(c.port.Device)},
		})
		return nil, false
	}
	open := c.Connect
	if open == nil {
		open = func(ctx context.Context, p *rdma.Port) (madrpc.Transport, error) {
			return c.host.umad().Open(ctx, p.Device, p.Num)
		}
	}
	t, err := open(ctx, c.port)
	if err != nil {
		why := deviceFile{name: name, class: "infiniband_mad", host: c.host}.explain(err)
		c.add(Finding{Check: UmadFile, Severity: c.stuck(), Text: why.text, Evidence: why.evidence, Remedy: why.remedy})
		return nil, false
	}
	c.add(Finding{Check: UmadFile, Text: "Its device file for MADs opens.", Evidence: []string{"open " + name + ": success"}})
	if c.Tap != nil {
		t = c.Tap(c.port, t)
	}
	return t, true
}

// checkSMI asks the port's own agent, which is no matter of the fabric.
func (c *portChecker) checkSMI(ctx context.Context, client *madrpc.Client) (smp.NodeInfo, bool) {
	info, err := madrpc.GetSMP[smp.NodeInfo](ctx, client, mad.Target{}, 0)
	f := Finding{Check: SMI}
	switch {
	case err == nil:
		f.Text = "Its own subnet management agent answers."
		f.Evidence = []string{fmt.Sprintf("Get NodeInfo from itself: node GUID %v, port GUID %v", info.NodeGUID, info.PortGUID)}
	case errors.Is(err, unix.EPROTONOSUPPORT):
		f.Evidence = []string{evidence("register agent for subnet management", unix.EPROTONOSUPPORT)}
		c.noSMI(&f)
	case ctx.Err() != nil:
		f.Severity, f.Text, f.Evidence = Warning, "Its own subnet management agent could not be asked in time.", []string{err.Error()}
	default:
		f.Severity, f.Text, f.Evidence = c.stuck(), "Its own subnet management agent does not answer.", []string{err.Error()}
		f.Remedy = []string{"dmesg | grep -i " + word(c.port.Device) + "  # has its firmware or driver failed? Restart it"}
	}
	c.add(f)
	return info, err == nil
}

// noSMI is about a port that has no subnet management interface.
func (c *portChecker) noSMI(f *Finding) {
	switch {
	case !c.port.LinkLayer.IsInfiniBand():
		f.Severity = Note
		f.Text = "A RoCE port has no subnet management interface: no discovery, no SMPs, no subnet administrator. General services, as perfquery uses, work by GID."
	case c.port.CapMask.Has(rdma.CapSMDisabled):
		f.Severity = Note
		f.Text = "The port has general services only (IsSMDisabled): another device of this adapter has its subnet management interface."
	default:
		f.Severity = c.stuck()
		f.Text = "The port has no subnet management interface, as is usual for virtual functions."
		f.Remedy = []string{"# use the physical function, on the host; or allow it: the adapter's SR-IOV settings (SMP, GUIDs, policy Follow)"}
	}
}

// isSilence reports whether a request ended for want of a reply.
func isSilence(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }
