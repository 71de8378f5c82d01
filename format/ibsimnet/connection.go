package ibsimnet

import (
	"bytes"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Rates in the comment of a port line, and what they enable.
var commentWidths = map[int]ib.LinkWidth{12: 11, 8: 4, 4: 3, 2: 16, 1: 1}

// xdr is the bit for XDR beside those of LinkSpeedExtEnabled, where the C tools
// have it, too.
const xdr = 32

var commentSpeeds = map[string]struct {
	speed, ext uint8
	fdr10      bool
}{
	"SDR": {1, 0, false}, "DDR": {3, 0, false}, "QDR": {7, 0, false}, "FDR10": {7, 0, true}, "FDR": {7, 1, true},
	"EDR": {7, 3, true}, "HDR": {7, 7, true}, "NDR": {7, 15, true}, "XDR": {7, 15 | xdr, true},
}

// readConnection reads the comment of a port line, where ibnetdiscover put it:
// on lines of CAs the LID and LMC of the port, on all lines the rate behind the
// last "lid N". What it says goes before options.
func (p *parser) readConnection(pt *port, text lines.Cursor) {
	if pt.node.typ == ib.NodeCA {
		pt.lid, _ = p.after(text, "lid ", 0xffff)
		lmc, _ := p.after(text, "lmc ", 7)
		pt.lmc = uint8(lmc)
	}
	end := text[bytes.LastIndexByte(text, '"')+1:]
	i := bytes.Index(end, []byte("lid"))
	if i < 0 {
		return // a hand-written file
	}
	rate := end[i+len("lid"):]
	if _, ok := number(&rate); !ok {
		p.bad("expected a LID and a rate as in lid 1 4xEDR, got %s", lines.Excerpt(end[i:]))
		return
	}
	rate.Blanks()
	word := lines.Cursor(rate.Word())
	lanes, okLanes := word.Uint()
	width, okWidth := commentWidths[lanes]
	if !okLanes || !okWidth || !word.Byte('x') {
		p.bad("expected a rate as 4xEDR, got %s; the defaults hold", lines.Excerpt(end[i:]))
		return
	}
	pt.width = width
	s, ok := commentSpeeds[string(word)]
	if !ok {
		p.bad("expected a speed from SDR to XDR, got %s; the defaults hold", lines.Excerpt(word))
		return
	}
	pt.speed, pt.ext, pt.fdr10 = s.speed, s.ext, s.fdr10
}
