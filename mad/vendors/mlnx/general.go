package mlnx

import "github.com/ibscope/ibscope/mad/gs"

// ClassPortInfo describes the agent at a port.
//
//mad:attr id=0x0001 size=72
type ClassPortInfo struct {
	gs.ClassPortInfo `mad:"0,576"`
}

// GeneralInfo describes the hardware and the firmware of a device. The part
// behind the INI version has two layouts: devices for which HasExtendedFirmware
// holds have the one of GeneralInfoExtended.
//
//mad:attr id=0x0017 size=232
type GeneralInfo struct {
	HWRevision uint16   `mad:"64,16" c:"HwRevision,hex"`
	DeviceID   uint16   `mad:"80,16" c:"DeviceId,hex"`
	Uptime     uint32   `mad:"288,32" c:"Uptime,hex"` // seconds
	FWMajor    uint8    `mad:"328,8" c:"FwMajor,uint"`
	FWMinor    uint8    `mad:"336,8" c:"FwMinor,uint"`
	FWSubMinor uint8    `mad:"344,8" c:"FwSubMinor,uint"`
	FWBuildID  uint32   `mad:"352,32" c:"FwBuildId,hex"`
	FWMonth    uint8    `mad:"384,8" c:"FwMonth,hex"` // binary coded decimal, like the day and the year
	FWDay      uint8    `mad:"392,8" c:"FwDay,hex"`
	FWYear     uint16   `mad:"400,16" c:"FwYear,hex"`
	FWHour     uint16   `mad:"432,16" c:"FwHour,hex"`
	PSID       [16]byte `mad:"448,128" c:"PSID,string"` // name of the board, not always ended by NUL
	INIVersion uint32   `mad:"576,32" c:"IniVersion,uint"`
	SWMajor    uint8    `mad:"616,8" c:"SwMajor,uint"`
	SWMinor    uint8    `mad:"624,8" c:"SwMinor,uint"`
	SWSubMinor uint8    `mad:"632,8" c:"SwSubMinor,uint"`
}

// GeneralInfoExtended is GeneralInfo with wider numbers of the firmware version.
//
//mad:attr id=0x0017 size=232 view
type GeneralInfoExtended struct {
	HWRevision    uint16   `mad:"64,16" c:"HwRevision,hex"`
	DeviceID      uint16   `mad:"80,16" c:"DeviceId,hex"`
	Uptime        uint32   `mad:"288,32" c:"Uptime,hex"`
	FWMajor       uint8    `mad:"328,8" c:"FwMajor,uint"`
	FWMinor       uint8    `mad:"336,8" c:"FwMinor,uint"`
	FWSubMinor    uint8    `mad:"344,8" c:"FwSubMinor,uint"`
	FWBuildID     uint32   `mad:"352,32" c:"FwBuildId,hex"`
	FWMonth       uint8    `mad:"384,8" c:"FwMonth,hex"`
	FWDay         uint8    `mad:"392,8" c:"FwDay,hex"`
	FWYear        uint16   `mad:"400,16" c:"FwYear,hex"`
	FWHour        uint16   `mad:"432,16" c:"FwHour,hex"`
	PSID          [16]byte `mad:"448,128" c:"PSID,string"`
	INIVersion    uint32   `mad:"576,32" c:"IniVersion,uint"`
	FWExtMajor    uint32   `mad:"608,32" c:"FwExtMajor,uint"`
	FWExtMinor    uint32   `mad:"640,32" c:"FwExtMinor,uint"`
	FWExtSubMinor uint32   `mad:"672,32" c:"FwExtSubMinor,uint"`
	SWMajor       uint8    `mad:"840,8" c:"SwMajor,uint"`
	SWMinor       uint8    `mad:"848,8" c:"SwMinor,uint"`
	SWSubMinor    uint8    `mad:"856,8" c:"SwSubMinor,uint"`
}

// extended lists the device IDs, from and to, whose GeneralInfo has the layout
// of GeneralInfoExtended.
var extended = [...][2]uint16{
	{0x01b3, 0x01b3},
	{0x0245, 0x0245},
	{0x1003, 0x101b},
	{0x1b02, 0x1b02},
	{0x1b33, 0x1b33},
	{0x1b40, 0x1b41},
	{0x1b50, 0x1b50},
	{0x1b60, 0x1b61},
	{0x1b73, 0x1b73},
	{0x1b83, 0x1b83},
	{0x1b93, 0x1b94},
	{0x1ba0, 0x1ba0},
	{0x1bb4, 0x1bb5},
	{0x1bc4, 0x1bc6},
	{0x1bd0, 0x1bd5},
	{0x1bf0, 0x1bf0},
	{0xa2d2, 0xa2d2},
	{0xc738, 0xc73b},
	{0xcb20, 0xcb20},
	{0xcf08, 0xcf08},
	{0xd2f0, 0xd2f0},
}

// HasExtendedFirmware reports whether the GeneralInfo of a device has the layout
// of GeneralInfoExtended. Devices newer than this release are not in its list.
func HasExtendedFirmware(deviceID uint16) bool {
	for _, r := range extended {
		if deviceID >= r[0] && deviceID <= r[1] {
			return true
		}
	}
	return false
}
