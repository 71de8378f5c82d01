package pcap

import (
	"math"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/pcap"
)

// filter says which MADs to print. All its parts must agree. A reply passes if its
// request does, so that they still find each other.
type filter []func(r *pcap.Record) bool

func (f filter) passes(r *pcap.Record) bool {
	for _, part := range f {
		if !part(r) {
			return false
		}
	}
	return true
}

// filter makes the filter. Errors are mistakes of usage.
func (s *settings) filter() (filter, error) {
	var f filter
	if s.class != "" {
		part, err := byClass(s.class)
		if err != nil {
			return nil, err
		}
		f = append(f, part)
	}
	if s.attr != "" {
		part, err := byAttr(s.attr)
		if err != nil {
			return nil, err
		}
		f = append(f, part)
	}
	if s.lid != "" {
		lid, err := ib.ParseLID(s.lid)
		if err != nil {
			return nil, env.Exitf(env.Usage, "--lid: %w", err)
		}
		f = append(f, func(r *pcap.Record) bool { return r.Header.SLID == lid || r.Header.DLID == lid })
	}
	if s.tid != "" {
		tid, err := strconv.ParseUint(s.tid, 0, 64)
		if err != nil {
			return nil, env.Exitf(env.Usage, "--tid %s: expected a number, as 0x12345678", s.tid)
		}
		f = append(f, func(r *pcap.Record) bool {
			id := r.Packet.TID()
			return id == tid || tid <= math.MaxUint32 && uint64(uint32(id)) == tid
		})
	}
	return f, nil
}

// byClass takes the name of a class, or its number. "Subn" is subnet management by
// LID or by directed route.
func byClass(text string) (func(*pcap.Record) bool, error) {
	if number, err := strconv.ParseUint(text, 0, 8); err == nil {
		return func(r *pcap.Record) bool { return r.Packet.Class() == mad.Class(number) }, nil
	}
	var names []string
	for c := range 256 {
		class := mad.Class(c)
		name := class.String()
		if strings.ContainsRune(name, ' ') {
			continue // one without a name
		}
		names = append(names, name)
		if !strings.EqualFold(name, text) {
			continue
		}
		return func(r *pcap.Record) bool {
			return r.Packet.Class() == class || class == mad.ClassSubnLID && r.Packet.Class().IsSMP()
		}, nil
	}
	return nil, env.Exitf(env.Usage, "--class %s: expected a number or one of %s", text, strings.Join(names, ", "))
}

// byAttr takes the name of an attribute, of whatever class, or its number.
func byAttr(text string) (func(*pcap.Record) bool, error) {
	if number, err := strconv.ParseUint(text, 0, 16); err == nil {
		return func(r *pcap.Record) bool { return r.Packet.AttrID() == mad.AttrID(number) }, nil
	}
	type place struct {
		class mad.Class
		attr  mad.AttrID
	}
	known := make(map[place]bool) // whether it has that name
	found := false
	for class, a := range attr.All() {
		found = found || strings.EqualFold(attr.Name(class, a.ID), text)
	}
	if !found {
		return nil, env.Exitf(env.Usage, "--attr %s: no attribute has that name; a number does for each", text)
	}
	return func(r *pcap.Record) bool {
		p := place{r.Packet.Class(), r.Packet.AttrID()}
		if _, ok := known[p]; !ok {
			if len(known) > 1<<16 {
				clear(known) // a capture may hold anything
			}
			known[p] = strings.EqualFold(attr.Name(p.class, p.attr), text)
		}
		return known[p]
	}, nil
}
