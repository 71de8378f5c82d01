package vendors

import (
	"fmt"
	"sync"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/internal/gmp"
)

// ClassMLNX is the management class of NVIDIA (Mellanox) devices.
const ClassMLNX mad.Class = 0x0a

// Vendors whose devices have the class.
const (
	vendorMellanox = 0x0002c9
	vendorBull     = 0x00119f
)

// MLNX is the agent of class ClassMLNX at all devices that have it. Versions are
// made up, by the generation of the device. It is safe for concurrent use.
type MLNX struct {
	start time.Time

	mu     sync.Mutex
	config map[word]uint32
	groups map[sim.Place]mlnx.ConfigCounterGroup
}

// NewMLNX makes the agent. Devices have been started now.
func NewMLNX() *MLNX {
	return &MLNX{start: time.Now(), config: map[word]uint32{}, groups: map[sim.Place]mlnx.ConfigCounterGroup{}}
}

// Answer implements sim.Agent. Devices of others do not answer.
func (a *MLNX) Answer(r sim.Request, m *mad.Packet) sim.Outcome {
	info := r.At.Node.Info()
	if info.VendorID != vendorMellanox && info.VendorID != vendorBull {
		return sim.Declined
	}
	status, outcome := gmp.Check(m)
	if outcome != sim.Answered {
		return outcome
	}
	if status == mad.StatusOK {
		status = a.carryOut(r.At, info.DeviceID, m)
	}
	m.SetStatus(status)
	return sim.Answered
}

func (a *MLNX) carryOut(at sim.Place, deviceID uint16, m *mad.Packet) mad.Status {
	isSet := m.Method() == mad.MethodSet
	data := (*[232]byte)(m.Data())
	switch m.AttrID() {
	case mlnx.AttrClassPortInfo, mlnx.AttrGeneralInfo:
		if isSet {
			return mad.StatusUnsupportedAttr
		}
		*data = [232]byte{}
		if m.AttrID() == mlnx.AttrGeneralInfo {
			a.generalInfo(at.Node, deviceID, data)
			return mad.StatusOK
		}
		v := mlnx.ClassPortInfo{ClassPortInfo: gs.ClassPortInfo{BaseVersion: 1, ClassVersion: 1, RespTimeValue: gmp.RespTime}}
		v.Encode((*[72]byte)(data[:]))
		return mad.StatusOK
	case mlnx.AttrConfigSpaceAccess:
		return a.configSpace(at.Node, m.Modifier(), data, isSet)
	case mlnx.AttrCounterGroupInfo, mlnx.AttrConfigCounterGroup:
		if deviceID != deviceIS4 {
			return mad.StatusUnsupportedAttr
		}
		return a.counterGroups(at, m, data, isSet)
	}
	return mad.StatusUnsupportedAttr
}

// firmware is the version of devices with IDs in a range.
var firmware = [...]struct {
	from, to             uint16
	major, minor, minor2 uint32
}{
	{0x1003, 0x1007, 2, 42, 5000},
	{0x1011, 0x1012, 10, 16, 1200},
	{0x1013, 0x1016, 12, 28, 2006},
	{0x1017, 0x101a, 16, 35, 2000},
	{0x101b, 0x101c, 20, 41, 1000},
	{0x1021, 0x1021, 28, 41, 1000},
	{0x1023, 0x1023, 40, 43, 1000},
	{0xa2d2, 0xa2d2, 18, 35, 2000},
	{deviceIS4, deviceIS4, 7, 4, 0},
	{0xc738, 0xc73b, 9, 4, 5110},
	{0xcb20, 0xcb20, 11, 2008, 3328},
	{0xcf08, 0xcf08, 15, 2010, 4318},
	{0xd2f0, 0xd2f0, 27, 2012, 1010},
	{0xd2f2, 0xd2f2, 31, 2012, 1024},
	{0xd2f4, 0xd2f4, 35, 2014, 1000},
}

// generalInfo writes what is known of a device, in the layout that it has.
// Numbers that the older layout has no room for lose their upper bits there.
func (a *MLNX) generalInfo(n *fabric.Node, deviceID uint16, data *[232]byte) {
	v := mlnx.GeneralInfo{
		HWRevision: uint16(n.Info().Revision), DeviceID: deviceID, Uptime: uint32(time.Since(a.start).Seconds()),
		FWMonth: 0x06, FWDay: 0x17, FWYear: 0x2024, FWHour: 0x1000, INIVersion: 1,
	}
	copy(v.PSID[:], fmt.Sprintf("SIM%010d", deviceID))
	x := mlnx.GeneralInfoExtended{
		HWRevision: v.HWRevision, DeviceID: v.DeviceID, Uptime: v.Uptime,
		FWMonth: v.FWMonth, FWDay: v.FWDay, FWYear: v.FWYear, FWHour: v.FWHour, INIVersion: v.INIVersion, PSID: v.PSID,
	}
	x.FWExtMajor = 1
	for _, f := range firmware {
		if deviceID >= f.from && deviceID <= f.to {
			x.FWExtMajor, x.FWExtMinor, x.FWExtSubMinor = f.major, f.minor, f.minor2
		}
	}
	v.FWMajor, v.FWMinor, v.FWSubMinor = uint8(x.FWExtMajor), uint8(x.FWExtMinor), uint8(x.FWExtSubMinor)
	if mlnx.HasExtendedFirmware(deviceID) {
		x.FWMajor, x.FWMinor, x.FWSubMinor = v.FWMajor, v.FWMinor, v.FWSubMinor
		x.Encode(data)
		return
	}
	v.Encode(data)
}
