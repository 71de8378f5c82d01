package topology

import (
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/ib"
)

// adapterRole is the role of a channel adapter.
func adapterRole(n *fabric.Node) (Role, Reason) {
	info := n.Info()
	description := n.Description()
	switch {
	case model.IsAggregationNode(info.VendorID, info.DeviceID):
		return RoleAggregation, Reason{Evidence: ByDeviceID}
	case strings.Contains(strings.ToLower(description), "aggregation node"):
		return RoleAggregation, Reason{Evidence: ByDescription}
	case isOnOwnPort(n):
		return RoleAggregation, Reason{Evidence: ByLastPort}
	}
	return roleByName(description)
}

// ownGUIDs is how far the GUID of an aggregation node can be above that of its
// switch; 8 and 10 have been seen.
const ownGUIDs = 16

// isOnOwnPort reports whether an adapter with one port is part of the switch that
// it is on: it is on the port that comes after the even number of those on the
// front, and its identity comes from the switch.
func isOnOwnPort(n *fabric.Node) bool {
	p := n.Port(1)
	if n.NumPorts() != 1 || p == nil || p.Remote() == nil {
		return false
	}
	far := p.Remote()
	sw := far.Node()
	if sw.Type() != ib.NodeSwitch || far.Num() != sw.NumPorts() || sw.NumPorts() < 9 || sw.NumPorts()%2 == 0 {
		return false
	}
	if image := n.Info().SystemImageGUID; image != 0 && image == sw.Info().SystemImageGUID {
		return true
	}
	return n.GUID() > sw.GUID() && n.GUID()-sw.GUID() <= ownGUIDs
}
