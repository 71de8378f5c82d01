package mad

import "fmt"

// RMPPStatus is why an RMPP transfer ended (IBA vol. 1, 13.6.2.1). It is an
// error.
type RMPPStatus uint8

// The statuses.
const (
	RMPPNormal              RMPPStatus = 0
	RMPPResourcesExhausted  RMPPStatus = 1
	RMPPTotalTimeTooLong    RMPPStatus = 118
	RMPPInconsistentLast    RMPPStatus = 119
	RMPPInconsistentFirst   RMPPStatus = 120
	RMPPBadType             RMPPStatus = 121
	RMPPNewWindowTooSmall   RMPPStatus = 122
	RMPPSegmentNumberTooBig RMPPStatus = 123
	RMPPIllegalStatus       RMPPStatus = 124
	RMPPUnsupportedVersion  RMPPStatus = 125
	RMPPTooManyRetries      RMPPStatus = 126
	RMPPUnspecified         RMPPStatus = 127
)

var rmppWords = [256]string{
	RMPPNormal:              "normal",
	RMPPResourcesExhausted:  "resources exhausted",
	RMPPTotalTimeTooLong:    "total time too long",
	RMPPInconsistentLast:    "last segment and payload length do not agree",
	RMPPInconsistentFirst:   "first segment and segment number do not agree",
	RMPPBadType:             "bad RMPP type",
	RMPPNewWindowTooSmall:   "new window before the one in use",
	RMPPSegmentNumberTooBig: "segment number too large",
	RMPPIllegalStatus:       "illegal status",
	RMPPUnsupportedVersion:  "version not supported",
	RMPPTooManyRetries:      "too many retries",
	RMPPUnspecified:         "unspecified error",
}

// Error says the status in words, "RMPP status 126: too many retries".
func (s RMPPStatus) Error() string {
	if w := rmppWords[s]; w != "" {
		return fmt.Sprintf("RMPP status %d: %s", uint8(s), w)
	}
	return fmt.Sprintf("RMPP status %d", uint8(s))
}
