package facts

import (
	"strings"

	"github.com/ibscope/ibscope/ib"
)

// Speed reads a speed as OpenSM, ibdiagnet and iblinkinfo print it: what a lane
// carries in Gb/s ("100", "53.125 Gbps"), or the name ("FDR10").
func Speed(text string) (ib.LinkSpeed, bool) {
	switch strings.TrimSuffix(strings.TrimSpace(text), " Gbps") {
	case "2.5", "SDR":
		return ib.SpeedSDR, true
	case "5", "5.0", "DDR":
		return ib.SpeedDDR, true
	case "10", "10.0", "QDR":
		return ib.SpeedQDR, true
	case "FDR10", "10.0 Gbps (FDR10)":
		return ib.SpeedFDR10, true
	case "14", "14.0625", "FDR":
		return ib.SpeedFDR, true
	case "25", "25.78125", "EDR":
		return ib.SpeedEDR, true
	case "50", "53.125", "HDR":
		return ib.SpeedHDR, true
	case "100", "106.25", "NDR":
		return ib.SpeedNDR, true
	case "200", "212.5", "XDR":
		return ib.SpeedXDR, true
	}
	return 0, false
}

// Width reads "4x" or "4X".
func Width(text string) (ib.LinkWidth, bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1x":
		return ib.WidthFromLanes(1)
	case "2x":
		return ib.WidthFromLanes(2)
	case "4x":
		return ib.WidthFromLanes(4)
	case "8x":
		return ib.WidthFromLanes(8)
	case "12x":
		return ib.WidthFromLanes(12)
	}
	return 0, false
}

// State reads a logical state: "ACT", "Active".
func State(text string) (ib.PortState, bool) {
	switch strings.ToUpper(strings.TrimSpace(text)) {
	case "DWN", "DOWN":
		return ib.PortDown, true
	case "INI", "INIT", "INITIALIZE":
		return ib.PortInitialize, true
	case "ARM", "ARMED":
		return ib.PortArmed, true
	case "ACT", "ACTIVE":
		return ib.PortActive, true
	}
	return 0, false
}

// PhysState reads a physical state: "LINK UP", "LinkUp", "POLL".
func PhysState(text string) (ib.PhysState, bool) {
	switch strings.ToUpper(strings.TrimSpace(text)) {
	case "SLEEP":
		return ib.PhysSleep, true
	case "POLL", "POLLING":
		return ib.PhysPolling, true
	case "DISABLE", "DISABLED", "DISB":
		return ib.PhysDisabled, true
	case "TRAIN", "TRAINING", "PORT CONF", "PORTCONFIGURATIONTRAINING":
		return ib.PhysTraining, true
	case "LINK UP", "LINKUP":
		return ib.PhysLinkUp, true
	case "LINK ERR", "LINKERRORRECOVERY":
		return ib.PhysLinkErrorRecovery, true
	case "PHY TEST", "PHYTEST":
		return ib.PhysTest, true
	}
	return 0, false
}
