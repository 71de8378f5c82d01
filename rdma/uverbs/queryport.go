package uverbs

import (
	"context"
	"structs"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma"
)

// oldQueryPort is struct ib_uverbs_query_port.
type oldQueryPort struct {
	_        structs.HostLayout
	Response uint64
	Port     uint8
	_        [7]uint8
}

// QueryPort asks for the attributes of a port, 1 to DeviceAttributes.PhysicalPorts.
// The *Error wraps unix.EINVAL for a port that the device does not have, what the
// driver says, d.Refused or the error of ctx.
func (d *Device) QueryPort(ctx context.Context, num int) (*PortAttributes, error) {
	fail := func(err error) (*PortAttributes, error) {
		return nil, &Error{Op: "query port", Device: d.info.Name, Port: num, Index: -1, Err: err}
	}
	if err := d.checkContext(ctx); err != nil {
		return fail(err)
	}
	if num < 1 || num > 255 {
		return fail(unix.EINVAL)
	}
	var r queryPortResponse
	err := call(d.kernel, uint32(d.driver.id), methodQueryPort, in(attrPortNum, uint64(num)), out(attrPortResponse, &r))
	if isUnsupported(err) { // before Linux 5.0
		core := []attr{in(attrCoreIn, oldQueryPort{Port: uint8(num)}), {id: attrCoreOut, out: bytesOf(&r)[:legacyPortLen]}}
		err = invoke(d.kernel, uint32(d.driver.id), cmdQueryPort, core, nil)
	}
	if err != nil {
		return fail(err)
	}
	return r.attributes(), nil
}

// grhRequired is IB_UVERBS_QPF_GRH_REQUIRED.
const grhRequired = 1

func (r *queryPortResponse) attributes() *PortAttributes {
	a := &PortAttributes{
		State: ib.PortState(r.State), MaxMTU: ib.MTU(r.MaxMTU), ActiveMTU: ib.MTU(r.ActiveMTU),
		LID: ib.LID(r.LID), SMLID: ib.LID(r.SMLID), LMC: r.LMC, LinkLayer: LinkLayer(r.LinkLayer),
		MaxMessage: r.MaxMessageSize, CapMask: rdma.CapMask(r.CapMask), CapMask2: rdma.CapMask2(r.CapMask2),
		MaxVL: ib.VLCap(r.MaxVL), BadPKeys: r.BadPKeys, BadQKeys: r.BadQKeys, SMSL: r.SMSL,
		PKeyTableLen: r.PKeyTableLen, GIDTableLen: r.GIDTableLen,
		SubnetTimeout: r.SubnetTimeout, InitTypeReply: r.InitTypeReply,
		ActiveWidth: ib.LinkWidth(r.ActiveWidth), ActiveSpeed: Speed(r.ActiveSpeed),
		PhysState: ib.PhysState(r.PhysState), GRHRequired: r.Flags&grhRequired != 0,
	}
	if r.ActiveSpeedEx != 0 {
		a.ActiveSpeed = Speed(r.ActiveSpeedEx)
	}
	return a
}
