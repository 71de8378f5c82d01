package mad

import "fmt"

// Class is a management class (IBA vol. 1, 13.4.4).
type Class uint8

// The management classes.
const (
	ClassSubnLID      Class = 0x01 // subnet management, LID routed
	ClassSubnAdm      Class = 0x03 // subnet administration
	ClassPerf         Class = 0x04 // performance management
	ClassBM           Class = 0x05 // baseboard management
	ClassDevMgt       Class = 0x06 // device management
	ClassComm         Class = 0x07 // communication management
	ClassSNMP         Class = 0x08 // SNMP tunnelling
	ClassVendor1Min   Class = 0x09 // vendor classes without OUI
	ClassVendor1Max   Class = 0x0f
	ClassDevAdm       Class = 0x10 // device administration
	ClassBIS          Class = 0x12 // boot information
	ClassCC           Class = 0x21 // congestion control
	ClassVendor2Min   Class = 0x30 // vendor classes with OUI and RMPP
	ClassVendor2Max   Class = 0x4f
	ClassSubnDirected Class = 0x81 // subnet management, directed route
)

// Version is the class version that this release speaks: 2 for subnet
// administration and congestion control, else 1.
func (c Class) Version() uint8 {
	if c == ClassSubnAdm || c == ClassCC {
		return 2
	}
	return 1
}

// IsSMP reports whether the class travels on QP0 and VL15.
func (c Class) IsSMP() bool { return c == ClassSubnLID || c == ClassSubnDirected }

// String gives the specification's short name.
func (c Class) String() string {
	switch c {
	case ClassSubnLID:
		return "Subn"
	case ClassSubnDirected:
		return "SubnDirected"
	case ClassSubnAdm:
		return "SubnAdm"
	case ClassPerf:
		return "Perf"
	case ClassBM:
		return "BM"
	case ClassDevMgt:
		return "DevMgt"
	case ClassComm:
		return "CommMgt"
	case ClassSNMP:
		return "SNMP"
	case ClassDevAdm:
		return "DevAdm"
	case ClassBIS:
		return "BIS"
	case ClassCC:
		return "CongestionControl"
	}
	return fmt.Sprintf("class 0x%02x", uint8(c))
}

// Method is a method with its response bit (IBA vol. 1, 13.4.5).
type Method uint8

// The methods.
const (
	MethodGet          Method = 0x01
	MethodSet          Method = 0x02
	MethodSend         Method = 0x03
	MethodTrap         Method = 0x05
	MethodReport       Method = 0x06
	MethodTrapRepress  Method = 0x07
	MethodGetTable     Method = 0x12
	MethodGetTraceTabl Method = 0x13
	MethodGetMulti     Method = 0x14
	MethodDelete       Method = 0x15

	// ResponseBit marks the answer to a request.
	ResponseBit Method = 0x80

	MethodGetResp Method = MethodGet | ResponseBit
)

// String gives the specification's name, with "Resp" for responses.
func (m Method) String() string {
	var s string
	switch m &^ ResponseBit {
	case MethodGet:
		s = "Get"
	case MethodSet:
		s = "Set"
	case MethodSend:
		s = "Send"
	case MethodTrap:
		s = "Trap"
	case MethodReport:
		s = "Report"
	case MethodTrapRepress:
		s = "TrapRepress"
	case MethodGetTable:
		s = "GetTable"
	case MethodGetTraceTabl:
		s = "GetTraceTable"
	case MethodGetMulti:
		s = "GetMulti"
	case MethodDelete:
		s = "Delete"
	default:
		return fmt.Sprintf("method 0x%02x", uint8(m))
	}
	if m&ResponseBit != 0 {
		s += "Resp"
	}
	return s
}

// AttrID identifies an attribute within its class.
type AttrID uint16

// String gives the form 0x0011; package mad/attr knows the names.
func (a AttrID) String() string { return fmt.Sprintf("0x%04x", uint16(a)) }
