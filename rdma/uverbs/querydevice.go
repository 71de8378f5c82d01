package uverbs

import (
	"context"
	"encoding/binary"
	"structs"
	"unsafe"

	"github.com/ibscope/ibscope/ib"
)

// exQueryDevice and queryDevice are the requests; the pointer in the latter is
// not used by way of the ioctl.
type (
	exQueryDevice struct {
		_        structs.HostLayout
		CompMask uint32
		Reserved uint32
	}
	queryDevice struct {
		_        structs.HostLayout
		Response uint64
	}
)

// QueryDevice asks for the attributes of the device itself. The *Error wraps that
// of the driver (EIO and others), d.Refused or the error of ctx.
func (d *Device) QueryDevice(ctx context.Context) (*DeviceAttributes, error) {
	fail := func(err error) (*DeviceAttributes, error) {
		return nil, &Error{Op: "query device", Device: d.info.Name, Index: -1, Err: err}
	}
	if err := d.checkContext(ctx); err != nil {
		return fail(err)
	}
	var r exQueryDeviceResponse
	data, err := d.exQueryDevice(&r)
	if isUnsupported(err) {
		r = exQueryDeviceResponse{}
		err = invoke(d.kernel, uint32(d.driver.id), cmdQueryDevice,
			[]attr{in(attrCoreIn, queryDevice{}), out(attrCoreOut, &r.Base)}, nil)
	}
	if err != nil {
		return fail(err)
	}
	r.cut()
	a := r.attributes()
	a.CompVectors = d.compVectors
	if f := d.driver.firmware; f != nil {
		a.Firmware = f(r.Base.Firmware, d.answer)
	}
	if data != nil {
		d.driver.extra.read(data, a)
	}
	return a, nil
}

// exQueryDevice gives the driver's part of the answer, nil for none.
func (d *Device) exQueryDevice(r *exQueryDeviceResponse) ([]byte, error) {
	var data []byte
	var uhw []attr
	if x := d.driver.extra; x != nil && (x.accepted == nil || x.accepted(d.answer)) {
		data = driverOut(x.size)
		uhw = []attr{{id: attrDriverOut, out: data}}
	}
	err := invoke(d.kernel, uint32(d.driver.id), cmdExQueryDevice,
		[]attr{in(attrCoreIn, exQueryDevice{}), out(attrCoreOut, r)}, uhw)
	if err != nil {
		return nil, err
	}
	return data, nil
}

// cut clears members that lie wholly or in part behind ResponseLength, as
// libibverbs does: an old kernel does not know them.
func (r *exQueryDeviceResponse) cut() {
	have := uintptr(r.ResponseLength)
	for _, member := range []struct{ offset, size uintptr }{
		{unsafe.Offsetof(r.ODPGeneral), unsafe.Offsetof(r.TimestampMask) - unsafe.Offsetof(r.ODPGeneral)},
		{unsafe.Offsetof(r.TimestampMask), 8},
		{unsafe.Offsetof(r.CoreClock), 8},
		{unsafe.Offsetof(r.CapsEx), 8},
		{unsafe.Offsetof(r.RSSQPTypes), unsafe.Offsetof(r.MaxWQTypeRQ) - unsafe.Offsetof(r.RSSQPTypes)},
		{unsafe.Offsetof(r.MaxWQTypeRQ), 4},
		{unsafe.Offsetof(r.RawPacketCaps), 4},
		{unsafe.Offsetof(r.TMMaxRndvHeader), unsafe.Offsetof(r.CQMaxCount) - unsafe.Offsetof(r.TMMaxRndvHeader)},
		{unsafe.Offsetof(r.CQMaxCount), 8},
		{unsafe.Offsetof(r.MaxDeviceMemory), 8},
		{unsafe.Offsetof(r.ODPXRC), 4},
	} {
		if have < member.offset+member.size {
			clear(bytesOf(r)[member.offset : member.offset+member.size])
		}
	}
}

func (r *exQueryDeviceResponse) attributes() *DeviceAttributes {
	b := &r.Base
	a := &DeviceAttributes{
		NodeGUID:        ib.GUID(binary.BigEndian.Uint64(b.NodeGUID[:])),
		SystemImageGUID: ib.GUID(binary.BigEndian.Uint64(b.SystemImageGUID[:])),
		VendorID:        b.VendorID, VendorPartID: b.VendorPartID, HardwareVersion: b.HardwareVersion,
		PhysicalPorts: int(b.PhysicalPorts),
		MaxMRSize:     b.MaxMRSize, PageSizes: b.PageSizes,
		Caps: DeviceCaps(b.Caps), CapsEx: DeviceCaps(r.CapsEx),
		MaxQP: b.MaxQP, MaxQPWR: b.MaxQPWR, MaxSGE: b.MaxSGE, MaxSGERead: b.MaxSGERead,
		MaxCQ: b.MaxCQ, MaxCQE: b.MaxCQE, MaxMR: b.MaxMR, MaxPD: b.MaxPD,
		MaxQPReadAtomic: b.MaxQPReadAtomic, MaxEEReadAtomic: b.MaxEEReadAtomic,
		MaxResReadAtomic: b.MaxResReadAtomic, MaxQPInitReadAtomic: b.MaxQPInitReadAtomic,
		MaxEEInitReadAtomic: b.MaxEEInitReadAtomic, AtomicCap: AtomicCap(b.AtomicCap),
		MaxEE: b.MaxEE, MaxRDD: b.MaxRDD, MaxMW: b.MaxMW,
		MaxRawIPv6QP: b.MaxRawIPv6QP, MaxRawEthernetQP: b.MaxRawEthernetQP,
		MaxMulticastGroups: b.MaxMulticastGroups, MaxMulticastAttach: b.MaxMulticastAttach,
		MaxMulticastQPAttach: b.MaxMulticastQPAttach,
		MaxAH:                b.MaxAH, MaxFMR: b.MaxFMR, MaxMapPerFMR: b.MaxMapPerFMR,
		MaxSRQ: b.MaxSRQ, MaxSRQWR: b.MaxSRQWR, MaxSRQSGE: b.MaxSRQSGE,
		MaxPKeys: b.MaxPKeys, LocalAckDelay: b.LocalAckDelay,
	}
	r.extended(a)
	return a
}

// extended fills in what is not in ibv_device_attr.
func (r *exQueryDeviceResponse) extended(a *DeviceAttributes) {
	a.ODP = ODPCaps{
		General: r.ODPGeneral, RC: ODPTransportCaps(r.ODPRC), UC: ODPTransportCaps(r.ODPUC),
		UD: ODPTransportCaps(r.ODPUD), XRC: ODPTransportCaps(r.ODPXRC),
	}
	a.TimestampMask, a.CoreClock = r.TimestampMask, r.CoreClock
	a.RSS = RSSCaps{MaxTables: r.RSSMaxTables, MaxTableSize: r.RSSMaxTableSize, QPTypes: QPTypes(r.RSSQPTypes)}
	a.MaxWQTypeRQ, a.RawPacket = r.MaxWQTypeRQ, RawPacketCaps(r.RawPacketCaps)
	a.TagMatching = TagMatchingCaps{
		MaxRndvHeader: r.TMMaxRndvHeader, MaxTags: r.TMMaxTags,
		MaxOps: r.TMMaxOps, MaxSGE: r.TMMaxSGE, Flags: r.TMFlags,
	}
	a.CQModeration = CQModerationCaps{MaxCount: r.CQMaxCount, MaxPeriod: r.CQMaxPeriod}
	a.MaxDeviceMemory = r.MaxDeviceMemory
}
