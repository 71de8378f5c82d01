package ib

// SMState is the state of a subnet manager (SMInfo.SMState, IBA vol. 1,
// 14.4.1).
type SMState uint8

// The states of a subnet manager.
const (
	SMNotActive   SMState = 0
	SMDiscovering SMState = 1
	SMStandby     SMState = 2
	SMMaster      SMState = 3
)

var smStateNames = enumNames{"NotActive", "Discovering", "Standby", "Master"}

// String is "NotActive", "Discovering", "Standby", "Master" or "unknown (N)".
func (s SMState) String() string { return smStateNames.text(uint8(s)) }

// MarshalText implements encoding.TextMarshaler.
func (s SMState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *SMState) UnmarshalText(b []byte) error {
	v, err := smStateNames.parse("subnet manager state", string(b))
	*s = SMState(v)
	return err
}
