package nodes

import "github.com/ibscope/ibscope/internal/cli/report"

// The columns, as indices of a row.
const (
	name = iota
	typ
	role
	lid
	portsActive
	ports
	model
	firmware
	host
	guid
	systemImage
	psid
	tier
	vendorID
	deviceID
	revision
	hostNumber
	chassis
	slot
	description
	numColumns
)

// columns describes them.
var columns = []report.Column{
	name:        {Name: "name", Title: "Name", Min: 16, Help: "name in the name map, else the description"},
	typ:         {Name: "type", Title: "Type", Rank: 5, Help: "CA, Switch, Router"},
	role:        {Name: "role", Title: "Role", Help: "what it is for"},
	lid:         {Name: "lid", Title: "LID", Right: true, Help: "of the first port that has one"},
	portsActive: {Name: "ports_active", Title: "Active", Unit: "ports", Right: true, Help: "how many ports are active"},
	ports:       {Name: "ports", Title: "All", Unit: "ports", Right: true, Help: "how many ports there are"},
	model:       {Name: "model", Title: "Model", Min: 12, Rank: 2, Help: "name of the device's model, where it is known"},
	firmware:    {Name: "firmware", Title: "Firmware", Rank: 1, Help: "with --firmware: its version"},
	host:        {Name: "host", Title: "Host", Min: 8, Rank: 4, Help: "the machine that an adapter is in"},
	guid:        {Name: "guid", Title: "GUID", Rank: 6, Help: "node GUID"},
	systemImage: {Name: "system_image_guid", Title: "System image", Rank: 7, Help: "system image GUID"},
	psid:        {Name: "psid", Title: "PSID", Rank: 8, Help: "with --firmware: name of the board"},
	tier:        {Name: "tier", Title: "Tier", Right: true, Rank: 9, Help: "of a switch, counted from the hosts"},
	vendorID:    {Name: "vendor_id", Title: "Vendor", Hidden: true, Help: "vendor ID"},
	deviceID:    {Name: "device_id", Title: "Device", Hidden: true, Help: "device ID"},
	revision:    {Name: "revision", Title: "Revision", Hidden: true, Help: "hardware revision"},
	hostNumber:  {Name: "host_number", Title: "Host no", Right: true, Hidden: true, Help: "number of the host: adapters of one machine have the same"},
	chassis:     {Name: "chassis", Title: "Chassis", Right: true, Hidden: true, Help: "number of the chassis"},
	slot:        {Name: "slot", Title: "Slot", Hidden: true, Help: "place in the chassis"},
	description: {Name: "description", Title: "Description", Hidden: true, Help: "NodeDescription, also where there is another name"},
}
