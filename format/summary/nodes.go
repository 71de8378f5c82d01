package summary

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
)

func (w *writer) origin(f *fabric.Fabric) {
	s := f.Sweep()
	title := "Fabric"
	if s.Source != "" {
		source := escape.Text(s.Source)
		if title += " "; len(title+source) > lineWidth {
			title += "\n  "
		}
		title += source
	}
	w.printf("%s\n", w.paint(bold, title))
	if p := f.Start(); p != nil {
		w.printf("  seen from %s %s port %d\n", fit(w.label(p.Node()), 36), p.Node().GUID(), p.Num())
	}
	if !s.Started.IsZero() {
		w.printf("  at %s\n", s.Started.Format(time.RFC3339))
	}
}

// device is a kind of device, to count the nodes of.
type device struct {
	typ    ib.NodeType
	vendor uint32
	id     uint16
	ports  uint8
}

func (w *writer) nodes(f *fabric.Fabric) {
	devices := map[device]int{}
	total, ports := map[ib.NodeType]int{}, map[ib.NodeType]int{}
	for n := range f.Nodes() {
		info := n.Info()
		devices[device{n.Type(), info.VendorID, info.DeviceID, info.NumPorts}]++
		total[n.Type()]++
		ports[n.Type()] += n.NumPorts()
	}
	w.heading(fmt.Sprintf("Nodes: %d", f.NumNodes()))
	for _, t := range nodeTypes(total) {
		w.printf("  %6d %s, %s\n", total[t], typeNoun(t, total[t]), count(ports[t], "port"))
		list := devicesOf(devices, t)
		for _, d := range list[:min(len(list), w.Limit)] {
			w.printf("    %6d  %s\n", devices[d], d.describe())
		}
		w.more(len(list), "            ")
	}
}

// nodeTypes are the types present, CAs first, unknown ones last.
func nodeTypes(total map[ib.NodeType]int) []ib.NodeType {
	types := make([]ib.NodeType, 0, len(total))
	for t := range total {
		types = append(types, t)
	}
	slices.SortFunc(types, func(a, b ib.NodeType) int { return cmp.Compare(a-1, b-1) }) // 0 is unknown
	return types
}

func typeNoun(t ib.NodeType, n int) string {
	plural := map[ib.NodeType]string{ib.NodeCA: "CAs", ib.NodeSwitch: "switches", ib.NodeRouter: "routers"}
	singular := map[ib.NodeType]string{ib.NodeCA: "CA", ib.NodeSwitch: "switch", ib.NodeRouter: "router"}
	names := plural
	if n == 1 {
		names = singular
	}
	if name, ok := names[t]; ok {
		return name
	}
	return "of type " + t.String()
}

// devicesOf lists the kinds of devices of one type, the most frequent first.
func devicesOf(devices map[device]int, t ib.NodeType) []device {
	var list []device
	for d := range devices {
		if d.typ == t {
			list = append(list, d)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(devices[b]-devices[a], cmp.Compare(a.vendor, b.vendor),
			cmp.Compare(a.id, b.id), cmp.Compare(a.ports, b.ports)) < 0
	})
	return list
}

func (d device) describe() string {
	name := model.Name(d.vendor, d.id)
	if name == "" {
		name = "unknown model"
		if vendor := model.Vendor(d.vendor); vendor != "" {
			name += " of " + vendor
		}
	}
	return fmt.Sprintf("%s %s  0x%06x:0x%04x", fit(name, 34), fit(count(int(d.ports), "port"), 9), d.vendor, d.id)
}
