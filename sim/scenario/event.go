package scenario

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// Event is a thing that was done to one place, or could not be.
type Event struct {
	At     time.Duration // since the start, in the time of the scenario
	Do     string        // the command: "link down", "kill" …
	A      End           // where; the zero End for what has no place
	B      End           // the other end of the cable at A, zero for none
	Detail string        // what more there is to say
	Err    error         // why it was not done; nil if it was
}

// End is a node, or a port of one.
type End struct {
	Node string  `json:"node,omitempty"` // its description
	GUID ib.GUID `json:"guid,omitempty"`
	Port int     `json:"port,omitempty"` // 0 for the node
}

// String is the name as commands have it, and the GUID.
func (e End) String() string {
	if e.GUID == 0 {
		return ""
	}
	text := strconv.Quote(e.Node)
	if e.Port != 0 {
		text += "/" + strconv.Itoa(e.Port)
	}
	return text + " (" + e.GUID.String() + ")"
}

// String is a line such as
//
//	0:30.000  link down  "leaf01"/7 (0x…) – "spine01"/1 (0x…)
func (e Event) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s", clock(e.At), e.Do)
	if e.A.GUID != 0 {
		b.WriteString("  " + e.A.String())
	}
	if e.B.GUID != 0 {
		b.WriteString(" – " + e.B.String())
	}
	if e.Detail != "" {
		b.WriteString("  " + e.Detail)
	}
	if e.Err != nil {
		b.WriteString("  failed: " + e.Err.Error())
	}
	return b.String()
}

// clock is hours, minutes, seconds and milliseconds.
func clock(d time.Duration) string {
	ms := d.Milliseconds()
	text := fmt.Sprintf("%d:%02d.%03d", ms/60000%60, ms/1000%60, ms%1000)
	if hours := ms / 3600000; hours > 0 {
		text = fmt.Sprintf("%d:%02d:%02d.%03d", hours, ms/60000%60, ms/1000%60, ms%1000)
	}
	return text
}

// MarshalJSON gives an object: at in seconds, do, and a, b, detail, error where
// there are such.
func (e Event) MarshalJSON() ([]byte, error) {
	v := struct {
		At     float64 `json:"at"`
		Do     string  `json:"do"`
		A      *End    `json:"a,omitempty"`
		B      *End    `json:"b,omitempty"`
		Detail string  `json:"detail,omitempty"`
		Error  string  `json:"error,omitempty"`
	}{At: e.At.Seconds(), Do: e.Do, Detail: e.Detail}
	if e.A.GUID != 0 {
		v.A = &e.A
	}
	if e.B.GUID != 0 {
		v.B = &e.B
	}
	if e.Err != nil {
		v.Error = e.Err.Error()
	}
	return json.Marshal(v)
}

// end names a place as it is called now.
func (r *Runner) end(at sim.Place) End {
	if at.Node == nil {
		return End{}
	}
	return End{Node: r.sim.Description(at.Node), GUID: r.sim.GUID(at.Node), Port: at.Port}
}

// ends are a place and the other end of the cable there.
func (r *Runner) ends(at sim.Place) (a, b End) {
	if at.Port > 0 {
		if far, ok := r.sim.Cable(at); ok {
			b = r.end(far)
		}
	}
	return r.end(at), b
}
