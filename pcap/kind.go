package pcap

import "strings"

// What comments begin with where the flags of a packet cannot tell. Users filter
// by them (frame.comment), so they do not change.
const (
	commentFailed     = "not sent: "
	commentUnanswered = "unanswered: "
)

// flags are the direction as pcapng has it. What was not on the wire has none.
func (k Kind) flags() uint8 {
	switch k {
	case Sent:
		return flagOutbound
	case Received:
		return flagInbound
	}
	return 0
}

// prefix is what the comment begins with.
func (k Kind) prefix() string {
	switch k {
	case SendFailed:
		return commentFailed
	case Unanswered:
		return commentUnanswered
	}
	return ""
}

// kindOf is the opposite of flags and prefix.
func kindOf(flags uint32, comment string) (kind Kind, rest string) {
	switch flags & flagDirection {
	case flagOutbound:
		return Sent, comment
	case flagInbound:
		return Received, comment
	}
	if rest, ok := strings.CutPrefix(comment, commentFailed); ok {
		return SendFailed, rest
	}
	if rest, ok := strings.CutPrefix(comment, commentUnanswered); ok {
		return Unanswered, rest
	}
	return Unknown, comment
}

// String is a word for the kind: "sent", "received", "not sent", "unanswered", or
// "" for Unknown.
func (k Kind) String() string {
	switch k {
	case Sent:
		return "sent"
	case Received:
		return "received"
	case SendFailed:
		return "not sent"
	case Unanswered:
		return "unanswered"
	}
	return ""
}
