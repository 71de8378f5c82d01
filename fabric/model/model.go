// Package model names devices by the vendor and device IDs of NodeInfo.
package model

// model is the name for what NodeInfo tells about the make of a device.
type model struct {
	vendor uint32
	device uint16
	name   string
}

// Vendor OUIs.
const (
	mellanox    = 0x0002c9
	voltaire    = 0x0008f1
	silverstorm = 0x00066a
	qlogic      = 0x001175
	topspin     = 0x0005ad
	xsigo       = 0x001397
)

// models have the OUI of the chip maker. Boxes of other vendors with these chips
// mostly carry the same device IDs; see Name. A map would be filled each time the
// program starts, this is part of it.
var models = [...]model{
	{mellanox, 0xb924, "InfiniScale III switch"},
	{mellanox, 0xbd36, "InfiniScale IV switch"},
	{mellanox, 0xc738, "SwitchX switch"},
	{mellanox, 0xcb20, "Switch-IB switch"},
	{mellanox, 0xcf08, "Switch-IB 2 switch"},
	{mellanox, 0xcf09, "Switch-IB 2 SHARP aggregation node"},
	{mellanox, 0xd2f0, "Quantum switch"},
	{mellanox, 0xd2f1, "Quantum SHARP aggregation node"},
	{mellanox, 0xd2f2, "Quantum-2 switch"},
	{mellanox, 0xd2f3, "Quantum-2 SHARP aggregation node"},
	{mellanox, 0xd2f4, "Quantum-3 switch"},

	{mellanox, 0x5a44, "InfiniHost"},
	{mellanox, 0x6274, "InfiniHost III Lx"},
	{mellanox, 0x6278, "InfiniHost III Ex"},
	{mellanox, 0x6282, "InfiniHost III Ex"},
	{mellanox, 0x6340, "ConnectX"},
	{mellanox, 0x634a, "ConnectX"},
	{mellanox, 0x6732, "ConnectX"},
	{mellanox, 0x673c, "ConnectX-2"},
	{mellanox, 0x6746, "ConnectX-2"},
	{mellanox, 0x1003, "ConnectX-3"},
	{mellanox, 0x1004, "ConnectX-3 virtual function"},
	{mellanox, 0x1007, "ConnectX-3 Pro"},
	{mellanox, 0x1011, "Connect-IB"},
	{mellanox, 0x1013, "ConnectX-4"},
	{mellanox, 0x1017, "ConnectX-5"},
	{mellanox, 0x1019, "ConnectX-5 Ex"},
	{mellanox, 0x101b, "ConnectX-6"},
	{mellanox, 0x101d, "ConnectX-6 Dx"},
	{mellanox, 0x1021, "ConnectX-7"},
	{mellanox, 0x1023, "ConnectX-8"},
	{mellanox, 0xa2d2, "BlueField"},
	{mellanox, 0xa2d6, "BlueField-2"},
	{mellanox, 0xa2dc, "BlueField-3"},

	{qlogic, 0x7322, "QLE73xx"},
	{qlogic, 0x7220, "QLE72xx"},
}

// Name is the name of a device's model, "" when it is not known.
func Name(vendor uint32, device uint16) string {
	name := find(vendor, device)
	if name == "" && (vendor == voltaire || Vendor(vendor) == "") {
		name = find(mellanox, device)
	}
	return name
}

func find(vendor uint32, device uint16) string {
	for i := range models {
		if m := &models[i]; m.vendor == vendor && m.device == device {
			return m.name
		}
	}
	return ""
}

// Vendor is the name of a vendor, "" when it is not known.
func Vendor(oui uint32) string {
	switch oui {
	case mellanox:
		return "NVIDIA/Mellanox"
	case voltaire:
		return "Voltaire"
	case silverstorm:
		return "SilverStorm/QLogic"
	case qlogic:
		return "QLogic/Intel"
	case topspin:
		return "Topspin/Cisco"
	case xsigo:
		return "Xsigo"
	}
	return ""
}
