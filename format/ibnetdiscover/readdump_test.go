package ibnetdiscover

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// dump is all that a fabric from a text may hold, one line for each node, port
// and problem.
func dump(f *fabric.Fabric) string {
	var b strings.Builder
	for n := range f.Nodes() {
		info := n.Info()
		fmt.Fprintf(&b, "%v %#x ports %d %q", n.Type(), uint64(n.GUID()), n.NumPorts(), n.Description())
		if info.VendorID != 0 || info.DeviceID != 0 || info.SystemImageGUID != 0 {
			fmt.Fprintf(&b, " vendor %#x device %#x system %#x", info.VendorID, info.DeviceID, uint64(info.SystemImageGUID))
		}
		if info.PortGUID != n.GUID() {
			fmt.Fprintf(&b, " port guid %#x", uint64(info.PortGUID))
		}
		if info, ok := n.SwitchInfo(); ok {
			fmt.Fprintf(&b, " enhanced %v", info.EnhancedPort0)
		}
		if path, ok := n.Path(); ok {
			fmt.Fprintf(&b, " path %s", path)
		}
		b.WriteString("\n")
		for p := range n.Ports() {
			dumpPort(&b, p)
		}
	}
	if s := f.Start(); s != nil {
		fmt.Fprintf(&b, "start %#x port %d\n", uint64(s.Node().GUID()), s.Num())
	}
	for _, p := range f.Problems() {
		fmt.Fprintf(&b, "%s: %v\n", p.Kind, p)
	}
	return b.String()
}

func dumpPort(b *strings.Builder, p *fabric.Port) {
	fmt.Fprintf(b, "  %d", p.Num())
	if p.Node().Type() != ib.NodeSwitch {
		fmt.Fprintf(b, " guid %#x", uint64(p.GUID()))
	}
	if p.Node().Type() != ib.NodeSwitch || p.Num() == 0 {
		fmt.Fprintf(b, " lid %d lmc %d", p.LID(), p.LMC())
	}
	fmt.Fprintf(b, " %v", p.State())
	if p.Num() != 0 {
		fmt.Fprintf(b, " %v", p.Active())
	}
	if r := p.Remote(); r != nil {
		fmt.Fprintf(b, " - %#x %d", uint64(r.Node().GUID()), r.Num())
	}
	b.WriteString("\n")
}
