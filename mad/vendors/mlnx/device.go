package mlnx

import "bytes"

// Device is what GeneralInfo tells, whatever layout the device uses for it.
type Device struct {
	HWRevision uint16
	DeviceID   uint16
	Uptime     uint32 // seconds
	Firmware   Version
	FWBuildID  uint32
	FWMonth    uint8 // binary coded decimal, like the day, the year and the hour
	FWDay      uint8
	FWYear     uint16
	FWHour     uint16
	PSID       string // name of the board; text from outside
	INIVersion uint32
	Software   Version
}

// Version is a version of firmware or software.
type Version struct{ Major, Minor, SubMinor uint32 }

// DeviceFrom decodes the data of GeneralInfo, in the layout of the device that it
// names; see HasExtendedFirmware.
func DeviceFrom(data *[232]byte) Device {
	var v GeneralInfo
	v.Decode(data)
	psid, _, _ := bytes.Cut(v.PSID[:], []byte{0})
	d := Device{
		HWRevision: v.HWRevision, DeviceID: v.DeviceID, Uptime: v.Uptime,
		Firmware:  Version{uint32(v.FWMajor), uint32(v.FWMinor), uint32(v.FWSubMinor)},
		FWBuildID: v.FWBuildID, FWMonth: v.FWMonth, FWDay: v.FWDay, FWYear: v.FWYear, FWHour: v.FWHour,
		PSID: string(psid), INIVersion: v.INIVersion,
		Software: Version{uint32(v.SWMajor), uint32(v.SWMinor), uint32(v.SWSubMinor)},
	}
	if HasExtendedFirmware(v.DeviceID) {
		var x GeneralInfoExtended
		x.Decode(data)
		d.Firmware = Version{x.FWExtMajor, x.FWExtMinor, x.FWExtSubMinor}
		d.Software = Version{uint32(x.SWMajor), uint32(x.SWMinor), uint32(x.SWSubMinor)}
	}
	return d
}
