package api

import (
	"time"

	"github.com/ibscope/ibscope/ib"
)

// Node is a node in a list.
type Node struct {
	GUID            ib.GUID     `json:"guid"`
	Type            ib.NodeType `json:"type" enum:"CA,Switch,Router"`
	Name            string      `json:"name" doc:"From the node name map, else the description, else the GUID"`
	Description     string      `json:"description,omitempty" doc:"NodeDescription; text that anybody on the fabric can choose"`
	DescriptionHex  string      `json:"description_hex,omitempty" doc:"All its bytes, where it is not UTF-8"`
	Model           string      `json:"model,omitempty" doc:"Name of the device, where its IDs are known"`
	VendorID        string      `json:"vendor_id" doc:"Such as 0x0002c9"`
	DeviceID        string      `json:"device_id" doc:"Such as 0xd2f0"`
	Revision        uint32      `json:"revision"`
	SystemImageGUID ib.GUID     `json:"system_image_guid"`
	Firmware        string      `json:"firmware,omitempty" doc:"Version, as the device told it; absent where it is not known"`
	PSID            string      `json:"psid,omitempty" doc:"Name of its board, likewise"`
	NumPorts        int         `json:"num_ports" doc:"Port 0 is not counted"`
	LID             ib.LID      `json:"lid,omitempty" doc:"Of a switch that of port 0, else that of the first port with one"`
	Path            string      `json:"path,omitempty" doc:"Directed route from the start of the sweep, such as 0,1,2"`
	Role            string      `json:"role" doc:"host, storage, management, gateway, aggregation, leaf, spine, core, switch, router or unknown"`
	Tier            int         `json:"tier,omitempty" doc:"Of a switch, counted from the hosts: leaves are 1"`
	Group           int         `json:"group,omitempty" doc:"Pod or group"`
	Rail            int         `json:"rail,omitempty" doc:"Of a leaf"`
	Plane           int         `json:"plane,omitempty"`
	Host            string      `json:"host,omitempty" doc:"Of an adapter: name of the machine"`
	Chassis         *Chassis    `json:"chassis,omitempty"`
	Links           int         `json:"links" doc:"Ports with a cable"`
	Active          int         `json:"active" doc:"Ports whose link is Active"`
	Degraded        int         `json:"degraded" doc:"Links that are slower or narrower than both ends support"`
	Flapping        int         `json:"flapping" doc:"Links that went down and up lately"`
	Errors          *uint64     `json:"errors,omitempty" doc:"Sum of the error counters of all ports; absent where none was read"`
	ErrorsPerSecond *float64    `json:"errors_per_second,omitempty"`
}

// Chassis is where a node sits.
type Chassis struct {
	Number   int      `json:"number"`
	GUID     *ib.GUID `json:"guid,omitempty"`
	Position string   `json:"position,omitempty" doc:"Such as Line 1 Chip 2"`
	Type     string   `json:"type,omitempty" doc:"Such as ISR9288"`
}

// NodeAnswer is a node with all its ports.
type NodeAnswer struct {
	Schema  string    `json:"schema"`
	Version int       `json:"version"`
	Fabric  string    `json:"fabric"`
	At      time.Time `json:"at,omitzero"`
	Node    Node      `json:"node"`
	Ports   []Port    `json:"ports" doc:"Those that were ever seen, by number"`
}

// Port is a port with what its counters tell.
type Port struct {
	Place
	PortGUID       ib.GUID   `json:"port_guid"`
	LMC            int       `json:"lmc,omitempty"`
	SMLID          ib.LID    `json:"sm_lid,omitempty"`
	State          string    `json:"state,omitempty" doc:"Down, Initialize, Armed, Active; absent where it is not known"`
	PhysState      string    `json:"phys_state,omitempty"`
	Active         *Rate     `json:"active,omitempty" doc:"Of a port whose link is up"`
	Enabled        *Rates    `json:"enabled,omitempty"`
	Supported      *Rates    `json:"supported,omitempty"`
	MTU            int       `json:"mtu_bytes,omitempty"`
	MTUCap         int       `json:"mtu_cap_bytes,omitempty"`
	CapabilityMask string    `json:"capability_mask,omitempty" doc:"Such as 0x02514868"`
	Link           string    `json:"link,omitempty" doc:"ID of its link in the list of links"`
	Peer           *Place    `json:"peer,omitempty" doc:"The port at the other end of the cable"`
	PeerState      string    `json:"peer_state,omitempty"`
	Degraded       bool      `json:"degraded"`
	Flapping       bool      `json:"flapping"`
	Flaps          uint64    `json:"flaps" doc:"How often its link went down and up, as far as events are kept"`
	Counters       *Counters `json:"counters,omitempty" doc:"Absent where they were never read"`
}

// Counters are those of a port.
type Counters struct {
	At       time.Time `json:"at" doc:"When they were read last"`
	Interval float64   `json:"interval_seconds,omitempty" doc:"Between the last two readings, which rates are over"`
	Missed   int       `json:"missed_passes" doc:"Passes since then that did not reach the port"`
	Resets   uint64    `json:"resets" doc:"How often counters were seen to be lower than before"`

	Values    map[string]uint64  `json:"values" doc:"Totals by the name of the counter, such as symbol_errors. Those that the port does not have are absent; data is in bytes. They may go beyond 2^53"`
	PerSecond map[string]float64 `json:"per_second" doc:"Rates over the interval, of the counters that have one"`
	Saturated []string           `json:"saturated,omitempty" doc:"Counters that stand at the end of their field: the true totals may be higher"`

	Errors          uint64   `json:"errors" doc:"Sum of the error counters; congestion is not one of them"`
	ErrorsPerSecond *float64 `json:"errors_per_second,omitempty"`
	XmitUtilisation *float64 `json:"xmit_utilisation,omitempty" doc:"Share of the link's rate, 0 to 1"`
	RcvUtilisation  *float64 `json:"rcv_utilisation,omitempty" doc:"Share of the link's rate, 0 to 1"`
	Congestion      *float64 `json:"congestion,omitempty" doc:"Share of the time, 0 to 1, in which the port had data to send and no credits"`
}
