package ibsimnet

import (
	"strconv"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// number takes a number as C's strtoull with base 0 does: decimal, 0x
// hexadecimal or 0 octal; what follows does not matter.
func number(text *lines.Cursor) (uint64, bool) {
	text.Blanks()
	s := *text
	end := 0
	for end < len(s) && (isDigit(s[end]) || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'f' || end == 1 && s[end]|0x20 == 'x') {
		end++
	}
	for ; end > 0; end-- { // 08 is octal 0 and text
		if v, err := strconv.ParseUint(string(s[:end]), 0, 64); err == nil {
			*text = s[end:]
			return v, true
		}
		if end > 20 {
			return 0, false
		}
	}
	return 0, false
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// setting reads "=N" of a keyword, with a number in low…high.
func (p *parser) setting(text lines.Cursor, keyword string, low, high uint64) (uint64, bool) {
	text.Blanks()
	ok := text.Byte('=')
	v, isNumber := number(&text)
	if !ok || !isNumber || v < low || v > high {
		p.bad("expected %s= and a number in %#x…%#x", keyword, low, high)
		return 0, false
	}
	return v, true
}

func (p *parser) readVendor(text lines.Cursor) {
	if v, ok := p.setting(text, "vendid", 0, 1<<24-1); ok {
		p.vendor = uint32(v)
	}
}

func (p *parser) readDevice(text lines.Cursor) {
	if v, ok := p.setting(text, "devid", 0, 1<<16-1); ok {
		p.device = uint16(v)
	}
}

func (p *parser) readSystem(text lines.Cursor) {
	if v, ok := p.setting(text, "sysimgguid", 0, 1<<64-1); ok {
		p.system = ib.GUID(v)
	}
}

func (p *parser) readWidth(text lines.Cursor) {
	if v, ok := p.setting(text, "width", 1, 31); ok {
		p.width = ib.LinkWidth(v)
	}
}

func (p *parser) readSpeed(text lines.Cursor) {
	if v, ok := p.setting(text, "speed", 1, 7); ok {
		p.speed = uint8(v)
	}
}

func (p *parser) readExtSpeed(text lines.Cursor) {
	if v, ok := p.setting(text, "extspeed", 0, 15); ok {
		p.ext = uint8(v)
	}
}

// maxModule is the longest name of a module.
const maxModule = 20

// readModule sets the prefix of ids and aliases from here on.
func (p *parser) readModule(text lines.Cursor) {
	text.Blanks()
	ok := text.Byte('=')
	text.Blanks()
	name, quoted := text.Between('"', '"')
	if !ok || !quoted || len(name) > maxModule {
		p.bad(`expected module="name", with at most %d characters`, maxModule)
		return
	}
	p.module = string(name)
}

func (p *parser) readSwitchGUID(text lines.Cursor) { p.readGUID(text, ib.NodeSwitch, "switchguid") }
func (p *parser) readCAGUID(text lines.Cursor)     { p.readGUID(text, ib.NodeCA, "caguid") }
func (p *parser) readRouterGUID(text lines.Cursor) { p.readGUID(text, ib.NodeRouter, "rtguid") }

// readGUID sets the GUID of the next node of a type: "=" as it stands, "+"
// beyond the last one that "=" set.
func (p *parser) readGUID(text lines.Cursor, typ ib.NodeType, keyword string) {
	text.Blanks()
	pool := &p.guids[typ]
	plus := text.Byte('+')
	if !plus && !text.Byte('=') {
		p.bad("expected %s= or %s+ and a number", keyword, keyword)
		return
	}
	v, ok := number(&text)
	switch {
	case !ok:
		p.bad("expected %s= or %s+ and a number", keyword, keyword)
	case plus:
		pool.next = pool.base + ib.GUID(v)
	default:
		pool.base, pool.next = ib.GUID(v), ib.GUID(v)
	}
}
