package vendstat

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/madrpc/vendordata"
)

// deviceText is what -N prints.
func deviceText(d *mlnx.Device) string {
	return fmt.Sprintf("hw_dev_rev:  0x%04x\nhw_dev_id:   0x%04x\nhw_uptime:   0x%08x\n"+
		"fw_version:  %s\nfw_build_id: 0x%04x\nfw_date:     %02x/%02x/%04x\n"+
		"fw_psid:     '%s'\nfw_ini_ver:  %d\nsw_version:  %s\n",
		d.HWRevision, d.DeviceID, d.Uptime, version(d.Firmware), d.FWBuildID, d.FWMonth, d.FWDay, d.FWYear,
		escape.Text(d.PSID), int32(d.INIVersion), version(d.Software))
}

// version prints numbers as C's int.
func version(v mlnx.Version) string {
	return fmt.Sprintf("%02d.%02d.%02d", int32(v.Major), int32(v.Minor), int32(v.SubMinor))
}

// readXmitWait prints the PortXmitWait counters that are not 0.
func (q *query) readXmitWait(ctx context.Context, deviceID uint16) error {
	if deviceID != mlnx.DeviceIS3 {
		return &diags.Fatal{Text: fmt.Sprintf("Unsupported device ID 0x%x", deviceID)}
	}
	counters, err := vendordata.XmitWait(ctx, q.client, q.to)
	if err != nil {
		q.refused(mad.MethodGet, mlnx.AttrConfigSpaceAccess, "", err)
		return &diags.Fatal{Text: "vendstat", Cause: err}
	}
	for n := range mlnx.XmitWaitPorts { // in the order in which they are stored, as C
		port := mlnx.XmitWaitPort(n)
		q.found.XmitWait = append(q.found.XmitWait, portCounter{port, counters[port]})
		if counters[port] == 0 {
			continue
		}
		if err := q.printf("Port %d: PortXmitWait 0x%x\n", port, counters[port]); err != nil {
			return err
		}
	}
	return nil
}

func (q *query) counterGroups(ctx context.Context) error {
	q.found.Port = &q.port
	v, err := vendordata.CounterGroups(ctx, q.client, q.to, q.port)
	if err != nil {
		q.refused(mad.MethodGet, mlnx.AttrCounterGroupInfo, "counter group info query failure", err)
		return nil
	}
	q.found.CounterGroups = newCounterGroups(&v)
	return q.printf("counter_group_info:\n%d counter groups\ngroup0 mask %s\ngroup1 mask %s\n",
		v.NumGroups, alternate(v.Groups[0]), alternate(v.Groups[1]))
}

// alternate is "%#x" of C, which has no prefix for 0.
func alternate(v uint32) string {
	if v == 0 {
		return "0"
	}
	return fmt.Sprintf("%#x", v)
}

func (q *query) configureGroups(ctx context.Context) error {
	q.found.Port = &q.port
	if err := q.printf("counter_groups_config: configuring group0 %d group1 %d\n", q.chosen[0], q.chosen[1]); err != nil {
		return err
	}
	groups := [2]uint8{uint8(q.chosen[0]), uint8(q.chosen[1])}
	if err := vendordata.SetCounterGroups(ctx, q.client, q.to, q.port, groups); err != nil {
		q.refused(mad.MethodSet, mlnx.AttrConfigCounterGroup, "config counter group set failure", err)
		return nil
	}
	chosen, err := vendordata.ChosenCounterGroups(ctx, q.client, q.to, q.port)
	if err != nil {
		q.refused(mad.MethodGet, mlnx.AttrConfigCounterGroup, "config counter group query failure", err)
		return nil
	}
	q.found.ChosenGroups = []int{int(chosen[0]), int(chosen[1])}
	return nil
}

// configSpace reads, then writes.
func (q *query) configSpace(ctx context.Context) error {
	if len(q.reads) > 0 {
		if err := vendordata.ReadConfig(ctx, q.client, q.to, q.reads); err != nil {
			q.refused(mad.MethodGet, mlnx.AttrConfigSpaceAccess, "cannot get config space records", err)
		} else if err := q.printRecords(q.reads, false); err != nil {
			return err
		}
	}
	if len(q.writes) == 0 {
		return nil
	}
	if err := vendordata.WriteConfig(ctx, q.client, q.to, q.writes); err != nil {
		q.refused(mad.MethodSet, mlnx.AttrConfigSpaceAccess, "cannot set config space records", err)
		return nil
	}
	return q.printRecords(q.writes, true)
}

func (q *query) printRecords(list []mlnx.ConfigRecord, written bool) error {
	for i := range list {
		r := &list[i]
		q.found.ConfigSpace = append(q.found.ConfigSpace, newWord(r, written))
		if err := q.printf("Config space record at 0x%x: 0x%x\n", r.Address, r.Data&r.Mask); err != nil {
			return err
		}
	}
	return nil
}
