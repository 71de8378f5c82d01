package ibnetdiscover

import (
	"strings"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// rate is the rate of a link as a port line tells it.
type rate struct {
	width ib.LinkWidth
	speed ib.LinkSpeed // one speed
	base  uint8        // PortInfo.LinkSpeedActive
	vlCap ib.VLCap     // 0 when not told
}

// speedNames are the speeds as ibnetdiscover prints them.
var speedNames = []struct {
	name  string
	speed ib.LinkSpeed
}{
	{"SDR", ib.SpeedSDR},
	{"DDR", ib.SpeedDDR},
	{"QDR", ib.SpeedQDR},
	{"FDR10", ib.SpeedFDR10},
	{"FDR", ib.SpeedFDR},
	{"EDR", ib.SpeedEDR},
	{"HDR", ib.SpeedHDR},
	{"NDR", ib.SpeedNDR},
	{"XDR", ib.SpeedXDR},
}

// readRate takes a rate: 4xEDR. Question marks, for what ibnetdiscover had no
// name for, mean the code 0.
func (d *reader) readRate(l *link, text *lines.Cursor) {
	start := *text
	word := text.Word()
	text.Blanks()
	if len(word) == 0 {
		return
	}
	if l.rate.setName(string(word)) {
		return
	}
	if strings.IndexByte(string(word), '=') >= 0 {
		*text = start // no rate, but what --full adds
		return
	}
	d.problems.Bad(d.line, "expected a rate as 4xEDR, got %s", lines.Excerpt(word))
}

func (r *rate) setName(word string) bool {
	name, ok := strings.CutPrefix(word, "??")
	if !ok {
		lanes, after, ok := strings.Cut(word, "x")
		if !ok {
			lanes, after, ok = strings.Cut(word, "X")
		}
		if !ok || !r.setWidth(lanes) {
			return false
		}
		name = after
	}
	return r.setSpeed(name)
}

func (r *rate) setWidth(lanes string) bool {
	c := lines.Cursor(lanes)
	n, _ := c.Uint()
	w, ok := ib.WidthFromLanes(n)
	r.width = w
	return ok && len(c) == 0
}

// setSpeed takes a speed name. Ports that run at an extended speed tell QDR as
// their base speed, and so do those at FDR10.
func (r *rate) setSpeed(name string) bool {
	if name == "???" {
		return true
	}
	for _, s := range speedNames {
		if strings.EqualFold(name, s.name) {
			r.speed, r.base = s.speed, max(s.speed.Base(), 1)
			if s.speed.Base() == 0 {
				r.base = ib.SpeedQDR.Base()
			}
			return true
		}
	}
	return false
}

// readTail reads what stands behind the rate: the codes that --full adds, and
// the slots that -g names for some chassis, which are not kept.
func (d *reader) readTail(l *link, text lines.Cursor) {
	for {
		text.Blanks()
		if len(text) == 0 || text.Text("(scp)") || text.Text("slot ") {
			return
		}
		word := lines.Cursor(text.Word())
		if !l.rate.setCode(word) {
			d.problems.Bad(d.line, "expected s=, w=, v= or e= and a number, got %s", lines.Excerpt(word))
			return
		}
	}
}

// setCode takes one of the codes of --full: the active base speed, the active
// width, VLCap and the active extended speed.
func (r *rate) setCode(word lines.Cursor) bool {
	if len(word) < 3 || word[1] != '=' {
		return false
	}
	code := word[2:]
	v, ok := code.Uint()
	if !ok || len(code) != 0 || v > 0xff {
		return false
	}
	switch word[0] {
	case 's':
		r.base = uint8(v & 0xf)
		if r.speed == 0 {
			r.speed = ib.SpeedFrom(r.base, 0, 0)
		}
	case 'w':
		r.width = ib.LinkWidth(v)
	case 'v':
		r.vlCap = ib.VLCap(v & 0xf)
	case 'e':
		// Bits from 5 on are those of LinkSpeedExtActive2.
		r.speed = ib.SpeedFrom(0, uint8(v&0xf), uint8(v>>5))
	default:
		return false
	}
	return true
}
