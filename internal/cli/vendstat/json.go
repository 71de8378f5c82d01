package vendstat

import (
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
)

// document is what the device has told. Of a failure there is a problem.
type document struct {
	Destination   diags.Destination `json:"destination"`
	Port          *uint32           `json:"port,omitempty"`
	Device        *device           `json:"device,omitempty"`
	XmitWait      []portCounter     `json:"port_xmit_wait,omitempty"`
	CounterGroups *counterGroups    `json:"counter_groups,omitempty"`
	ChosenGroups  []int             `json:"chosen_counter_groups,omitempty"`
	ConfigSpace   []word            `json:"config_space,omitempty"`
}

// device is what -N shows.
type device struct {
	HWRevision      string `json:"hardware_revision"`
	DeviceID        string `json:"device_id"`
	UptimeSeconds   uint32 `json:"uptime_seconds"`
	Firmware        string `json:"firmware_version"`
	FWBuildID       string `json:"firmware_build_id"`
	FWDate          string `json:"firmware_date"` // year-month-day
	PSID            string `json:"psid"`
	INIVersion      uint32 `json:"ini_version"`
	SoftwareVersion string `json:"software_version"`
}

func newDevice(d *mlnx.Device) *device {
	return &device{
		HWRevision: fmt.Sprintf("0x%04x", d.HWRevision), DeviceID: fmt.Sprintf("0x%04x", d.DeviceID),
		UptimeSeconds: d.Uptime, Firmware: dotted(d.Firmware), FWBuildID: fmt.Sprintf("0x%04x", d.FWBuildID),
		FWDate: fmt.Sprintf("%04x-%02x-%02x", d.FWYear, d.FWMonth, d.FWDay), PSID: d.PSID,
		INIVersion: d.INIVersion, SoftwareVersion: dotted(d.Software),
	}
}

func dotted(v mlnx.Version) string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.SubMinor) }

// portCounter is the counter of a port.
type portCounter struct {
	Port  int    `json:"port"`
	Value uint32 `json:"value"`
}

// counterGroups are those that can be chosen.
type counterGroups struct {
	Number uint8    `json:"number"`
	Masks  []string `json:"masks"`
}

func newCounterGroups(v *mlnx.CounterGroupInfo) *counterGroups {
	g := &counterGroups{Number: v.NumGroups}
	for _, mask := range v.Groups {
		g.Masks = append(g.Masks, fmt.Sprintf("0x%08x", mask))
	}
	return g
}

// word is one of the configuration space.
type word struct {
	Address string `json:"address"`
	Mask    string `json:"mask"`
	Value   string `json:"value"` // the bits of the mask
	Written bool   `json:"written"`
}

func newWord(r *mlnx.ConfigRecord, written bool) word {
	return word{fmt.Sprintf("0x%08x", r.Address), fmt.Sprintf("0x%08x", r.Mask), fmt.Sprintf("0x%08x", r.Data&r.Mask), written}
}
