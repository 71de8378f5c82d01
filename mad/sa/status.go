package sa

import "github.com/ibscope/ibscope/mad"

// Class-specific statuses of subnet administration (15.2.3). They are errors as
// every mad.Status: errors.Is(err, sa.StatusNoRecords).
const (
	StatusNoResources       mad.Status = 0x0100
	StatusRequestInvalid    mad.Status = 0x0200
	StatusNoRecords         mad.Status = 0x0300
	StatusTooManyRecords    mad.Status = 0x0400 // that match a Get
	StatusInvalidGID        mad.Status = 0x0500
	StatusFewComponents     mad.Status = 0x0600 // the ComponentMask says too little
	StatusRequestDenied     mad.Status = 0x0700
	StatusPrioritySuggested mad.Status = 0x0800
)

var statusTexts = [...]string{
	1: "no resources", 2: "request invalid", 3: "no records", 4: "too many records", 5: "invalid GID",
	6: "insufficient components", 7: "request denied", 8: "priority suggested",
}

// StatusText is the class-specific part of a status in words, "" if it has none.
func StatusText(s mad.Status) string {
	switch c := int(s.ClassSpecific()); {
	case c == 0:
		return ""
	case c < len(statusTexts):
		return statusTexts[c]
	}
	return "unknown code"
}
