package ib

// PortState is the logical state of a link (PortInfo.PortState, IBA vol. 1,
// 14.2.5.6). In a Set, 0 means "no change".
type PortState uint8

// The logical states.
const (
	PortNoChange   PortState = 0
	PortDown       PortState = 1
	PortInitialize PortState = 2
	PortArmed      PortState = 3
	PortActive     PortState = 4
)

var portStateNames = enumNames{"NoChange", "Down", "Initialize", "Armed", "Active"}

// String is "Down", "Initialize", "Armed", "Active", "NoChange" or "unknown (N)".
func (s PortState) String() string { return portStateNames.text(uint8(s)) }

// MarshalText implements encoding.TextMarshaler.
func (s PortState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *PortState) UnmarshalText(b []byte) error {
	v, err := portStateNames.parse("port state", string(b))
	*s = PortState(v)
	return err
}

// PhysState is the physical state of a port (PortInfo.PortPhysicalState).
type PhysState uint8

// The physical states.
const (
	PhysNoChange          PhysState = 0
	PhysSleep             PhysState = 1
	PhysPolling           PhysState = 2
	PhysDisabled          PhysState = 3
	PhysTraining          PhysState = 4
	PhysLinkUp            PhysState = 5
	PhysLinkErrorRecovery PhysState = 6
	PhysTest              PhysState = 7
)

var physStateNames = enumNames{
	"NoChange", "Sleep", "Polling", "Disabled",
	"PortConfigurationTraining", "LinkUp", "LinkErrorRecovery", "PhyTest",
}

// String gives the specification's name, or "unknown (N)".
func (s PhysState) String() string { return physStateNames.text(uint8(s)) }

// MarshalText implements encoding.TextMarshaler.
func (s PhysState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *PhysState) UnmarshalText(b []byte) error {
	v, err := physStateNames.parse("physical port state", string(b))
	*s = PhysState(v)
	return err
}
