package hostcheck

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma"
)

// portChecker makes the checks of one port.
type portChecker struct {
	*checker
	device   *rdma.Device
	port     *rdma.Port
	findings []Finding
}

// run makes the checks, from the cable up.
func (c *portChecker) run(ctx context.Context) {
	infiniBand := c.port.LinkLayer.IsInfiniBand()
	if c.device.NodeType != rdma.NodeSwitch {
		c.checkLink()
	}
	if infiniBand {
		c.checkState()
		c.checkLID()
		c.checkPKeys(ctx)
	}
	if c.hasUmad && !c.Passive {
		c.ask(ctx)
	}
}

// add adds a finding about the port.
func (c *portChecker) add(f Finding) {
	f.Device, f.Port = c.port.Device, c.port.Num
	c.findings = append(c.findings, f)
}

// stuck is how bad it is that this port does not work: a host with another
// active one still has its fabric.
func (c *portChecker) stuck() Severity {
	for _, d := range c.devices {
		for _, p := range d.Ports {
			if p != c.port && d.NodeType.IsIB() && p.LinkLayer.IsInfiniBand() && p.State == ib.PortActive {
				return Warning
			}
		}
	}
	if !c.port.LinkLayer.IsInfiniBand() {
		return Warning
	}
	return Failure
}

// isKnown reports whether an attribute could be read: what could not is 0, and
// must not be taken for it.
func (c *portChecker) isKnown(attribute string) bool {
	for _, e := range rdma.Problems(c.readErr) {
		if e.Device == c.port.Device && e.Attribute == attribute && e.Port == c.port.Num {
			return false
		}
	}
	return true
}

// attribute is a file of the port as evidence.
func (c *portChecker) attribute(name string, v any) string {
	if dir := c.device.SysfsPath(); dir != "" {
		return fmt.Sprintf("%s/ports/%d/%s: %v", dir, c.port.Num, name, v)
	}
	return fmt.Sprintf("netlink: %s %v", name, v)
}

// checkLink looks at the physical state.
func (c *portChecker) checkLink() {
	p := c.port
	f := Finding{Check: PortLink, Text: "The link is up: " + p.Rate.String() + ".", Evidence: []string{c.attribute("phys_state", p.PhysState)}}
	if p.Rate.Text == "" {
		f.Text = "The link is up."
	}
	switch {
	case p.PhysState == ib.PhysLinkUp:
		c.add(f)
		return
	case !c.isKnown("phys_state"):
		return
	}
	f.Severity = c.stuck()
	if p.LinkLayer.IsInfiniBand() {
		c.whyDown(&f)
	} else {
		f.Text = "The link is down: its network device is off, or has no carrier."
		name := word(cmp.Or(p.NetDev, "NAME"))
		f.Remedy = []string{"ip link set " + name + " up", "ethtool " + name + "  # Link detected: yes?"}
	}
	c.add(f)
}

// whyDown says from the physical state why an InfiniBand port has no link.
func (c *portChecker) whyDown(f *Finding) {
	switch c.port.PhysState {
	case ib.PhysDisabled:
		f.Text = "The port is disabled."
		if f.Severity == Warning {
			f.Severity = Note // somebody has turned off what is not needed
		}
		f.Remedy = []string{
			fmt.Sprintf("mlxlink -d %s -p %d -a UP  # adapters of NVIDIA; others: reload the driver", word(c.port.Device), c.port.Num),
		}
	case ib.PhysPolling, ib.PhysSleep:
		f.Text = "No link: the port finds nobody at the other end of the cable."
		f.Remedy = c.cableRemedy("is it plugged in at both ends, and the switch port enabled?")
	default:
		f.Text = "No link: the port does not get beyond " + c.port.PhysState.String() + "."
		f.Remedy = c.cableRemedy("it is seen but does not work: clean or replace it; do both ends support one speed?")
	}
}

func (c *portChecker) cableRemedy(advice string) []string {
	return []string{
		"# the cable: " + advice,
		fmt.Sprintf("mlxlink -d %s -p %d -m  # adapters of NVIDIA: what the port and the module say", word(c.port.Device), c.port.Num),
	}
}

// checkState looks at the logical state of a port whose link is up.
func (c *portChecker) checkState() {
	p := c.port
	if p.PhysState != ib.PhysLinkUp && p.State != ib.PortActive || !c.isKnown("state") {
		return
	}
	f := Finding{Check: PortState, Text: "The port is active.", Evidence: []string{c.attribute("state", p.State)}}
	switch p.State {
	case ib.PortActive:
	case ib.PortInitialize:
		f.Severity = c.stuck()
		f.Text = "No subnet manager has brought the port up."
		f.Evidence = append(f.Evidence, c.attribute("sm_lid", p.SMLID), c.attribute("lid", p.LID))
		f.Remedy = c.startSM()
	case ib.PortArmed:
		f.Severity = c.stuck()
		f.Text = "The subnet manager has not made the port active: it is armed."
		f.Remedy = []string{"# see the log of the subnet manager: it may be busy with the rest of the fabric, or stuck"}
	default:
		f.Severity = c.stuck()
		f.Text = "The link is up, but the port is " + p.State.String() + "."
		f.Remedy = []string{"# wait some seconds; if it stays, see the log of the subnet manager"}
	}
	c.add(f)
}

// startSM are commands that bring a subnet manager onto the fabric.
func (c *portChecker) startSM() []string {
	return []string{
		"# is one meant to run, on a switch or another host? See whether it does, and its log",
		fmt.Sprintf("opensm -B -g %s  # on this host, for this port's fabric", c.port.GUID()),
	}
}

// checkLID looks at the LID of an active port.
func (c *portChecker) checkLID() {
	p := c.port
	if p.State != ib.PortActive || !c.isKnown("lid") || c.device.NodeType == rdma.NodeSwitch && p.Num != 0 {
		return
	}
	f := Finding{Check: LID, Text: fmt.Sprintf("The port has LID %d.", p.LID), Evidence: []string{c.attribute("lid", p.LID)}}
	if p.LID == 0 {
		f.Severity, f.Text = c.stuck(), "The port is active but has no LID: nothing but directed routes works."
		f.Remedy = []string{"# see the log of the subnet manager: why has it given none?"}
	}
	c.add(f)
}

// defaultPartition is the partition of the P_Keys 0x7fff and 0xffff, which
// queries to the subnet administrator need.
const defaultPartition = 0x7fff

// checkPKeys looks at the P_Key table.
func (c *portChecker) checkPKeys(ctx context.Context) {
	keys, err := c.port.PKeys(ctx)
	if err != nil && len(keys) == 0 {
		return // nothing is known: an old kernel, or only netlink
	}
	var member, full bool
	var list []string
	for _, k := range keys {
		list = append(list, k.PKey.String())
		if k.PKey.Partition() == defaultPartition {
			member, full = true, full || k.PKey.IsFull()
		}
	}
	f := Finding{Check: PKey, Evidence: []string{c.attribute("pkeys", strings.Join(bounded(list), " "))}}
	switch {
	case len(keys) == 0:
		f.Severity, f.Text = c.stuck(), "The port is in no partition: its P_Key table is empty."
		f.Evidence = []string{c.attribute("pkeys", "no entry but 0x0000")}
		f.Remedy = []string{"# the subnet manager writes the table: see its partition configuration (opensm: partitions.conf)"}
	case !member:
		f.Severity, f.Text = Warning, "The port is not in the default partition: it cannot ask the subnet administrator."
		f.Remedy = []string{"# opensm, partitions.conf: Default=0x7fff, ipoib: ALL=limited, SELF=full;"}
	case full:
		f.Text = "The port is a full member of the default partition."
	default:
		f.Text = "The port is a limited member of the default partition: it reaches full members of it, as the subnet manager is."
	}
	for _, p := range rdma.Problems(err) {
		f.Evidence = append(f.Evidence, p.Error())
	}
	f.Evidence = bounded(f.Evidence)
	c.add(f)
}
