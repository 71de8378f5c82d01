package vendordata

import (
	"context"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/madrpc"
)

// Supported asks for the ClassPortInfo that every agent of the class has.
func Supported(ctx context.Context, c *madrpc.Client, to mad.Target) error {
	return madrpc.Get(ctx, c, to, 0, &mlnx.ClassPortInfo{})
}

// Device asks a device what it is.
func Device(ctx context.Context, c *madrpc.Client, to mad.Target) (mlnx.Device, error) {
	var v mlnx.GeneralInfo
	var request mad.Packet
	request.Init(v.Class(), mad.MethodGet, v.AttrID(), 0)
	reply, err := c.DoRedirected(ctx, to, &request)
	if err != nil {
		return mlnx.Device{}, err
	}
	return mlnx.DeviceFrom((*[232]byte)(reply.Data())), nil
}

// ReadConfig reads words of the configuration space: the Data of each record, of
// which the bits of its Mask count. Several requests are made for many.
func ReadConfig(ctx context.Context, c *madrpc.Client, to mad.Target, records []mlnx.ConfigRecord) error {
	return config(ctx, c, to, records, madrpc.Get)
}

// WriteConfig writes the bits of the Mask of each record, and sets Data to what
// the device has made of the word. This can break a device.
func WriteConfig(ctx context.Context, c *madrpc.Client, to mad.Target, records []mlnx.ConfigRecord) error {
	return config(ctx, c, to, records, madrpc.Set)
}

type exchange func(context.Context, *madrpc.Client, mad.Target, uint32, madrpc.Attribute, ...func(*mad.Packet)) error

func config(ctx context.Context, c *madrpc.Client, to mad.Target, records []mlnx.ConfigRecord, do exchange) error {
	for len(records) > 0 {
		var v mlnx.ConfigSpaceAccess
		n := copy(v.Records[:], records)
		if err := do(ctx, c, to, mlnx.ConfigSpaceModifier(n), &v); err != nil {
			return err
		}
		for i := range n {
			records[i].Data = v.Records[i].Data
		}
		records = records[n:]
	}
	return nil
}

// XmitWait reads the PortXmitWait counters of a switch of the kind
// mlnx.DeviceIS3: that of port p at index p, nothing at 0.
func XmitWait(ctx context.Context, c *madrpc.Client, to mad.Target) (counters [mlnx.XmitWaitPorts + 1]uint32, err error) {
	const first = 16 // that the first request asks for
	var records [mlnx.XmitWaitPorts]mlnx.ConfigRecord
	for i := range records {
		records[i].Address = mlnx.XmitWaitAddress(i)
	}
	for _, some := range [][]mlnx.ConfigRecord{records[:first], records[first:]} {
		if err := ReadConfig(ctx, c, to, some); err != nil {
			return counters, err
		}
	}
	for i := range records {
		counters[mlnx.XmitWaitPort(i)] = records[i].Data
	}
	return counters, nil
}

// CounterGroups asks which groups of counters a port can count.
func CounterGroups(ctx context.Context, c *madrpc.Client, to mad.Target, port uint32) (mlnx.CounterGroupInfo, error) {
	var v mlnx.CounterGroupInfo
	err := madrpc.Get(ctx, c, to, port, &v)
	return v, err
}

// SetCounterGroups chooses the groups that a port counts.
func SetCounterGroups(ctx context.Context, c *madrpc.Client, to mad.Target, port uint32, groups [2]uint8) error {
	return madrpc.Set(ctx, c, to, port, &mlnx.ConfigCounterGroup{Groups: groups})
}

// ChosenCounterGroups asks which groups a port counts.
func ChosenCounterGroups(ctx context.Context, c *madrpc.Client, to mad.Target, port uint32) ([2]uint8, error) {
	var v mlnx.ConfigCounterGroup
	err := madrpc.Get(ctx, c, to, port, &v)
	return v.Groups, err
}
