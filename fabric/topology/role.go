package topology

// Role is what a node is for. The constants are the stable names of
// machine-readable outputs.
type Role string

// The roles of nodes.
const (
	RoleHost        Role = "host"        // adapter of a machine
	RoleStorage     Role = "storage"     // adapter of a machine whose name tells that it stores
	RoleManagement  Role = "management"  // adapter of a machine whose name tells that it manages
	RoleGateway     Role = "gateway"     // adapter that leads into another network
	RoleAggregation Role = "aggregation" // SHARP aggregation node inside a switch, never a host
	RoleLeaf        Role = "leaf"        // switch of tier 1, where hosts are
	RoleSpine       Role = "spine"       // switch between leaves, or between leaves and cores
	RoleCore        Role = "core"        // switch of the top tier, from 3 on
	RoleSwitch      Role = "switch"      // switch that no host can be reached from
	RoleRouter      Role = "router"      // between subnets
	RoleUnknown     Role = "unknown"     // a node type that is not known
)

// IsHost reports whether nodes of the role are adapters of machines.
func (r Role) IsHost() bool {
	return r == RoleHost || r == RoleStorage || r == RoleManagement || r == RoleGateway
}

// Evidence is the kind of fact that a role rests on.
type Evidence string

// The kinds of evidence.
const (
	ByNodeType    Evidence = "node-type"   // NodeInfo.NodeType, nothing speaks against it
	ByDeviceID    Evidence = "device-id"   // NodeInfo.DeviceID
	ByDescription Evidence = "description" // NodeDescription as a whole
	ByName        Evidence = "name"        // a word of the host name
	ByLastPort    Evidence = "last-port"   // the link to a switch's own last port
	ByHosts       Evidence = "hosts"       // hosts are attached
	ByDistance    Evidence = "distance"    // hops from the switches with hosts
	BySibling     Evidence = "sibling"     // linked up like others of its tier, but without hosts
)

// Reason is why a node has its role.
type Reason struct {
	Evidence Evidence `json:"evidence"`
	Word     string   `json:"word,omitempty"`  // of a name: the word; untrusted text
	Count    int      `json:"count,omitempty"` // links to hosts, or hops
}

// tierRole is the role of a switch in a tier of a part with that many.
func tierRole(tier, tiers int) Role {
	switch {
	case tier < 1:
		return RoleSwitch
	case tier == 1:
		return RoleLeaf
	case tier >= 3 && tier == tiers:
		return RoleCore
	}
	return RoleSpine
}
