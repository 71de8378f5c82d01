package rdma

// LinkLayer is what a port runs on, in the kernel's words; "" when the kernel
// does not say, as those before 2.6.37.
type LinkLayer string

// The link layers.
const (
	LinkInfiniBand LinkLayer = "InfiniBand"
	LinkEthernet   LinkLayer = "Ethernet"
)

// IsInfiniBand reports whether the port is on an InfiniBand fabric. A kernel that
// does not say has no other ports; "IB" is what older drivers say.
func (l LinkLayer) IsInfiniBand() bool { return l == LinkInfiniBand || l == "IB" || l == "" }

// linkLayerOf is the link layer of a netlink protocol, "" if the protocol does
// not tell.
func linkLayerOf(protocol string) LinkLayer {
	switch protocol {
	case "ib", "opa":
		return LinkInfiniBand
	case "roce", "iw", "usnic", "efa":
		return LinkEthernet
	}
	return ""
}
