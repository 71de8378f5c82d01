package ibnetdiscover

import (
	"bytes"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// readProgress reads a line of -s:
//
//	DR path slid 0; dlid 0; 0,1,2 -> new Channel Adapter {0002c90300000001} portnum 1 lid 0-0 "host"
//
// New nodes come with the route to them. LIDs and descriptions are usually not
// known yet when the line is printed, so they are not read.
func (d *reader) readProgress(text lines.Cursor) bool {
	where, what, ok := bytes.Cut(text, []byte(" -> "))
	if !ok {
		return false
	}
	what, isNew := bytes.CutPrefix(what, []byte("new "))
	if !isNew {
		return bytes.HasPrefix(what, []byte("known "))
	}
	open := bytes.IndexByte(what, '{')
	if open < 0 {
		return false
	}
	c := lines.Cursor(what[open:])
	inner, _ := c.Between('{', '}')
	v, ok := lines.Hex(inner)
	if !ok {
		return false
	}
	guid := ib.GUID(v)
	d.sweptCAs[guid] = !bytes.HasPrefix(what, []byte("Switch"))
	if path, ok := routeIn(where); ok {
		d.swept[guid] = path
		if path.Len() == 0 && !d.hasStart {
			d.startNode, d.hasStart = guid, true
		}
	}
	return true
}

// routeIn reads the route at the end of "DR path slid 0; dlid 0; 0,1,2".
func routeIn(text []byte) (ib.DRPath, bool) {
	route := text[bytes.LastIndexByte(text, ' ')+1:]
	if len(route) > 4*ib.MaxHops+1 || !bytes.Contains(text, []byte("DR path")) {
		return ib.DRPath{}, false
	}
	path, err := ib.ParseDRPath(string(route))
	return path, err == nil
}

// readFailure reads what the sweep printed about a request that failed, which
// may stand anywhere in the text and behind any prefix:
//
//	src/query_smp.c:199; umad (DR path slid 0; dlid 0; 0,1,4 Attr 0x11:0) bad status 110; …
func (d *reader) readFailure(text lines.Cursor) bool {
	_, inner, ok := bytes.Cut(text, []byte("("))
	if !ok {
		return false
	}
	where, rest, ok := bytes.Cut(inner, []byte(" Attr "))
	if !ok {
		return false
	}
	path, ok := routeIn(where)
	if !ok {
		return false
	}
	attr, rest, _ := bytes.Cut(rest, []byte(":"))
	id, ok := lines.Hex(attr)
	if !ok || id > 0xffff {
		return false
	}
	modifier := lines.Cursor(rest)
	mod, _ := modifier.Uint()
	d.problems.Add(fabric.Problem{
		Kind: fabric.NoReply, Port: -1, File: d.problems.At(d.line), Target: mad.ByPath(path),
		Attr: mad.AttrID(id), Modifier: uint32(mod), Detail: "the sweep that wrote the file said " + strconv.Quote(string(text)),
	})
	return true
}
